import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** java Observe.java BROKERS REGISTRY PREFIX CORRELATION_ID: writes one observation (kafka-clients, avro). */
public class Observe {
  public static void main(String[] arguments) throws Exception {
    String topic = arguments[2] + "a2a.task-events.v1";
    String record = "holdfast.v1.DispatchObserved";
    String subject = URLEncoder.encode(topic + "-" + record, StandardCharsets.UTF_8);
    var question = HttpRequest.newBuilder(URI.create(arguments[1] + "/subjects/" + subject + "/versions/latest")).build();
    var answer = HttpClient.newHttpClient().send(question, BodyHandlers.ofString());
    var registered = new ObjectMapper().readTree(answer.body());
    Schema schema = new Schema.Parser().parse(registered.get("schema").asText());

    String tenant = "acme";
    String correlationId = arguments[3];
    var client = new GenericData.EnumSymbol(schema.getField("by").schema(), "CLIENT");
    var value =
        new GenericRecordBuilder(schema)
            .set("tenant", tenant)
            .set("correlationId", correlationId)
            .set("agentId", "billing-a")
            .set("by", client)
            .set("messageId", "m-1")
            .set("inputKept", false)
            .set("continues", false)
            .build();
    var bytes = new ByteArrayOutputStream();
    var frame = new DataOutputStream(bytes);
    frame.writeByte(0);
    frame.writeInt(registered.get("id").asInt());
    var encoder = EncoderFactory.get().binaryEncoder(frame, null);
    new GenericDatumWriter<>(schema).write(value, encoder);
    encoder.flush();

    String key = utf8(tenant).length + ":" + tenant + correlationId;
    var message = new ProducerRecord<>(topic, utf8(key), bytes.toByteArray());
    message.headers().add("ce_specversion", utf8("1.0"));
    message.headers().add("ce_id", utf8(UUID.randomUUID().toString()));
    message.headers().add("ce_source", utf8("/billing/observer"));
    message.headers().add("ce_type", utf8(record));
    message.headers().add("content-type", utf8("application/avro"));
    // Idempotent, acknowledged by all replicas, murmur2 of the key: the defaults.
    Map<String, Object> config = Map.of("bootstrap.servers", arguments[0]);
    try (var producer = new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.send(message).get();
    }
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
