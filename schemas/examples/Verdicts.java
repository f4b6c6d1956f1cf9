import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DecoderFactory;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** java Verdicts.java BROKERS REGISTRY PREFIX: prints all verdicts so far, one a line (kafka-clients, avro). */
public class Verdicts {
  private static final Map<Integer, Schema> SCHEMAS = new HashMap<>();

  public static void main(String[] arguments) throws Exception {
    String topic = arguments[2] + "a2a.verdicts.v1";
    Map<String, Object> config =
        Map.of("bootstrap.servers", arguments[0], "isolation.level", "read_committed", "enable.auto.commit", false);
    try (var consumer = new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      var partitions =
          consumer.partitionsFor(topic).stream().map((at) -> new TopicPartition(topic, at.partition())).toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      var ends = consumer.endOffsets(partitions);
      while (partitions.stream().anyMatch((at) -> consumer.position(at) < ends.get(at))) {
        for (var record : consumer.poll(Duration.ofSeconds(1))) {
          ByteBuffer frame = ByteBuffer.wrap(record.value(), 1, record.value().length - 1);
          Schema schema = schemaOf(arguments[1], frame.getInt());
          var decoder = DecoderFactory.get().binaryDecoder(record.value(), frame.position(), frame.remaining(), null);
          GenericRecord verdict = new GenericDatumReader<GenericRecord>(schema).read(null, decoder);
          System.out.println(verdict.get("correlationId") + " " + verdict.get("verdict") + " " + verdict.get("reason"));
        }
      }
    }
  }

  private static Schema schemaOf(String registry, int id) throws Exception {
    if (!SCHEMAS.containsKey(id)) {
      var question = HttpRequest.newBuilder(URI.create(registry + "/schemas/ids/" + id)).build();
      var answer = HttpClient.newHttpClient().send(question, BodyHandlers.ofString());
      String schema = new ObjectMapper().readTree(answer.body()).get("schema").asText();
      SCHEMAS.put(id, new Schema.Parser().parse(schema));
    }
    return SCHEMAS.get(id);
  }
}
