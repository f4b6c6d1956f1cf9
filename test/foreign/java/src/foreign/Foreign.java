package foreign;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.generic.GenericRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A producer and a consumer that know nothing of Holdfast but schemas/README.md. Every command prints one JSON object a
 * line. The same commands, arguments and plans as python/foreign.py.
 */
public final class Foreign {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final PrintStream OUT = new PrintStream(System.out, false, StandardCharsets.UTF_8);
  private static final int SHOWN = 5;

  /** Where Kafka and the registry are. */
  private record Mesh(String brokers, Registry registry) {
    static Mesh of(String json) throws IOException {
      JsonNode mesh = JSON.readTree(json);
      return new Mesh(mesh.get("brokers").asText(), new Registry(mesh.get("registry").asText()));
    }
  }

  /** Takes one event of a plan. */
  private interface OnEvent {
    void take(String topic, String eventId, int schemaId, GenericRecord value) throws Exception;
  }

  /** Takes one record of a topic. */
  private interface OnRecord {
    void take(ConsumerRecord<byte[], byte[]> record) throws Exception;
  }

  private Foreign() {}

  public static void main(String[] arguments) throws Exception {
    switch (arguments[0]) {
      case "versions" -> versions();
      case "golden" -> golden(Path.of(arguments[1]), Path.of(arguments[2]));
      case "produce" -> produce(Mesh.of(arguments[1]), planIn(arguments[2]));
      case "compare" -> compare(Mesh.of(arguments[1]), planIn(arguments[2]));
      case "read" -> read(Mesh.of(arguments[1]), arguments[2]);
      default -> throw new IllegalArgumentException("no command " + arguments[0]);
    }
    OUT.flush();
  }

  private static void versions() throws IOException {
    Properties kafka = new Properties();
    try (var file = KafkaProducer.class.getResourceAsStream("/kafka/kafka-version.properties")) {
      kafka.load(file);
    }
    ObjectNode said = JSON.createObjectNode();
    said.put("java", Runtime.version().toString());
    said.put("kafka-clients", kafka.getProperty("version"));
    said.put("avro", Schema.class.getPackage().getImplementationVersion());
    OUT.println(said);
  }

  private static void golden(Path directory, Path schemas) throws Exception {
    try (var files = Files.list(directory)) {
      for (Path file : files.sorted().toList()) {
        JsonNode held = JSON.readTree(file.toFile());
        String record = held.get("record").asText();
        Schema schema = Contract.parse(Files.readString(schemas.resolve(record + ".avsc")));
        ObjectNode said = JSON.createObjectNode().put("record", record);
        String fingerprint =
            HexFormat.of().formatHex(SchemaNormalization.parsingFingerprint("SHA-256", schema));
        said.put("fingerprint", fingerprint.equals(held.get("fingerprint").asText()));
        ArrayNode frames = said.putArray("frames");
        for (JsonNode example : held.get("frames")) {
          byte[] body = HexFormat.of().parseHex(example.get("frame").asText().substring("00ssssssss".length()));
          GenericRecord value = Contract.valueOf(schema, example.get("value").toString());
          byte[] frame = Contract.frame(0, value);
          GenericRecord decoded = Contract.decode(schema, body, 0);
          boolean equal = decoded.equals(value) && sameJson(Contract.jsonOf(decoded), example.get("value"));
          frames.addObject()
              .put("name", example.get("name").asText())
              .put("encoded", Arrays.equals(frame, 5, frame.length, body, 0, body.length))
              .put("decoded", equal);
        }
        OUT.println(said);
      }
    }
  }

  /** Numbers by value: an int and a long of one size are one. */
  private static boolean sameJson(JsonNode one, JsonNode other) {
    return one.equals(
        (a, b) -> a.isNumber() && b.isNumber() && a.decimalValue().compareTo(b.decimalValue()) == 0 ? 0 : a.equals(b) ? 0 : 1,
        other);
  }

  private static JsonNode planIn(String file) throws IOException {
    return JSON.readTree(Path.of(file).toFile());
  }

  private static void eachEvent(Registry registry, JsonNode plan, OnEvent onEvent) throws Exception {
    for (JsonNode batch : plan.get("batches")) {
      String topic = batch.get("topic").asText();
      var writer = registry.latest(topic, batch.get("record").asText());
      try (BufferedReader lines = Files.newBufferedReader(Path.of(batch.get("values").asText()))) {
        int number = 0;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          String eventId = batch.get("prefix").asText() + number;
          onEvent.take(topic, eventId, writer.id(), Contract.valueOf(writer.schema(), line));
          number += 1;
        }
      }
    }
  }

  private static void produce(Mesh mesh, JsonNode plan) throws Exception {
    String source = plan.get("source").asText();
    AtomicInteger written = new AtomicInteger();
    List<String> failed = Collections.synchronizedList(new ArrayList<>());
    Map<String, Object> config = Map.of("bootstrap.servers", mesh.brokers(), "compression.type", "gzip");
    var bytes = new ByteArraySerializer();
    try (var producer = new KafkaProducer<byte[], byte[]>(config, bytes, new ByteArraySerializer())) {
      eachEvent(
          mesh.registry(),
          plan,
          (topic, eventId, schemaId, value) -> {
            List<Header> headers = Contract.headersOf(value.getSchema().getName(), eventId, source);
            byte[] frame = Contract.frame(schemaId, value);
            producer.send(
                new ProducerRecord<>(topic, null, Contract.keyOf(value), frame, headers),
                (metadata, error) -> {
                  if (error == null) written.incrementAndGet();
                  else failed.add(error.toString());
                });
          });
    }
    ObjectNode said = JSON.createObjectNode().put("written", written.get());
    failed.stream().limit(SHOWN).forEach(said.putArray("failed")::add);
    OUT.println(said);
  }

  /** Every committed record of the topics, up to their ends as they are now. */
  private static void eachCommitted(Mesh mesh, Collection<String> topics, OnRecord onRecord) throws Exception {
    Map<String, Object> config =
        Map.of("bootstrap.servers", mesh.brokers(), "isolation.level", "read_committed", "enable.auto.commit", false);
    var bytes = new ByteArrayDeserializer();
    try (var consumer = new KafkaConsumer<byte[], byte[]>(config, bytes, new ByteArrayDeserializer())) {
      List<TopicPartition> partitions = new ArrayList<>();
      for (String topic : topics)
        consumer.partitionsFor(topic).forEach((at) -> partitions.add(new TopicPartition(topic, at.partition())));
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (ends.entrySet().stream().anyMatch((end) -> consumer.position(end.getKey()) < end.getValue()))
        for (var record : consumer.poll(Duration.ofSeconds(1))) onRecord.take(record);
    }
  }

  private static void compare(Mesh mesh, JsonNode plan) throws Exception {
    String source = plan.get("source").asText();
    Map<String, GenericRecord> expected = new HashMap<>();
    eachEvent(mesh.registry(), plan, (topic, eventId, id, value) -> expected.put(topic + " " + eventId, value));
    Collection<String> topics = new TreeSet<>();
    plan.get("batches").forEach((batch) -> topics.add(batch.get("topic").asText()));
    Map<String, Integer> equal = new TreeMap<>();
    ArrayNode differing = JSON.createArrayNode();
    eachCommitted(
        mesh,
        topics,
        (record) -> {
          if (!source.equals(headerOf(record, "ce_source"))) return;
          String at = record.topic() + " " + headerOf(record, "ce_id");
          GenericRecord value = expected.remove(at);
          GenericRecord read = Contract.unframe(mesh.registry(), record.value());
          String name = read.getSchema().getFullName();
          if (read.equals(value)
              && name.equals(headerOf(record, "ce_type"))
              && Arrays.equals(Contract.keyOf(read), record.key())) {
            equal.merge(read.getSchema().getName(), 1, Integer::sum);
          } else if (differing.size() < SHOWN) {
            differing.addObject().put("at", at).put("read", read.toString()).put("expected", String.valueOf(value));
          }
        });
    ObjectNode said = JSON.createObjectNode();
    said.set("equal", JSON.valueToTree(equal));
    said.set("differing", differing);
    OUT.println(said.put("missing", expected.size()));
  }

  private static void read(Mesh mesh, String topic) throws Exception {
    eachCommitted(
        mesh,
        List.of(topic),
        (record) -> {
          GenericRecord value = Contract.unframe(mesh.registry(), record.value());
          ObjectNode said = JSON.createObjectNode();
          said.put("partition", record.partition()).put("offset", record.offset());
          said.put("key", record.key() == null ? null : Contract.text(record.key()));
          ObjectNode headers = said.putObject("headers");
          for (Header header : record.headers()) headers.put(header.key(), Contract.text(header.value()));
          said.put("record", value.getSchema().getName());
          said.set("value", Contract.jsonOf(value));
          OUT.println(said);
        });
  }

  private static String headerOf(ConsumerRecord<byte[], byte[]> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null ? null : Contract.text(header.value());
  }
}
