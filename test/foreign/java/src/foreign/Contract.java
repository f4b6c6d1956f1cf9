package foreign;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.io.JsonEncoder;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;

/** The contract of schemas/README.md, in Java: frames, record keys, headers. */
final class Contract {
  static final String NAMESPACE = "holdfast.v1";
  private static final ObjectMapper JSON = new ObjectMapper();

  private Contract() {}

  static Schema parse(String text) {
    return new Schema.Parser().parse(text);
  }

  /** A zero byte, the schema's ID in four bytes (big endian), the Avro value. */
  static byte[] frame(int schemaId, GenericRecord value) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(0);
    out.write(ByteBuffer.allocate(Integer.BYTES).putInt(schemaId).array());
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
    new GenericDatumWriter<GenericRecord>(value.getSchema()).write(value, encoder);
    encoder.flush();
    return out.toByteArray();
  }

  /** The value in a frame, by the schema that the registry has under its ID. */
  static GenericRecord unframe(Registry registry, byte[] data) throws IOException, InterruptedException {
    ByteBuffer header = ByteBuffer.wrap(data);
    byte magic = header.get();
    if (magic != 0) throw new IOException("the first byte is " + magic);
    return decode(registry.schema(header.getInt()), data, header.position());
  }

  static GenericRecord decode(Schema schema, byte[] data, int start) throws IOException {
    BinaryDecoder decoder = DecoderFactory.get().binaryDecoder(data, start, data.length - start, null);
    GenericRecord value = new GenericDatumReader<GenericRecord>(schema).read(null, decoder);
    if (!decoder.isEnd()) throw new IOException("bytes follow the record");
    return value;
  }

  static byte[] recordKey(CharSequence tenant, CharSequence correlationId) {
    String owner = tenant == null ? "" : tenant.toString();
    return utf8(utf8(owner).length + ":" + owner + correlationId);
  }

  /** Of a unit its record key; of what names none the agent, or the record's name. */
  static byte[] keyOf(GenericRecord value) {
    Object correlationId = field(value, "correlationId");
    if (correlationId != null)
      return recordKey((CharSequence) field(value, "tenant"), (CharSequence) correlationId);
    Object agentId = field(value, "agentId");
    return utf8(agentId == null ? value.getSchema().getName() : agentId.toString());
  }

  private static Object field(GenericRecord value, String name) {
    return value.hasField(name) ? value.get(name) : null;
  }

  static List<Header> headersOf(String record, String eventId, String source) {
    return List.of(
        header("ce_specversion", "1.0"),
        header("ce_id", eventId),
        header("ce_source", source),
        header("ce_type", NAMESPACE + "." + record),
        header("ce_time", Instant.now().truncatedTo(ChronoUnit.MILLIS).toString()),
        header("content-type", "application/avro"));
  }

  /** A value from Avro's JSON encoding. */
  static GenericRecord valueOf(Schema schema, String json) throws IOException {
    return new GenericDatumReader<GenericRecord>(schema).read(null, DecoderFactory.get().jsonDecoder(schema, json));
  }

  /** A value as Avro's JSON encoding. */
  static JsonNode jsonOf(GenericRecord value) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    JsonEncoder encoder = EncoderFactory.get().jsonEncoder(value.getSchema(), out);
    new GenericDatumWriter<GenericRecord>(value.getSchema()).write(value, encoder);
    encoder.flush();
    return JSON.readTree(out.toByteArray());
  }

  static byte[] utf8(String text) {
    return text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
  }

  static String text(byte[] bytes) {
    return new String(bytes, java.nio.charset.StandardCharsets.UTF_8);
  }

  private static Header header(String name, String value) {
    return new RecordHeader(name, utf8(value));
  }
}
