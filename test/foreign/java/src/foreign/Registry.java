package foreign;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.apache.avro.Schema;

/** The two questions that producers and consumers put to a registry. */
final class Registry {
  /** A schema under its ID. */
  record Registered(int id, Schema schema) {}

  private final HttpClient http = HttpClient.newHttpClient();
  private final ObjectMapper json = new ObjectMapper();
  private final String url;
  private final Map<Integer, Schema> byId = new HashMap<>();
  private final Map<String, Registered> bySubject = new HashMap<>();

  Registry(String url) {
    this.url = url;
  }

  /** The ID and schema under which a record is written to a topic. */
  Registered latest(String topic, String record) throws IOException, InterruptedException {
    String subject = topic + "-" + Contract.NAMESPACE + "." + record;
    Registered known = bySubject.get(subject);
    if (known != null) return known;
    JsonNode found = get("/subjects/" + URLEncoder.encode(subject, StandardCharsets.UTF_8) + "/versions/latest");
    Registered latest = new Registered(found.get("id").asInt(), Contract.parse(found.get("schema").asText()));
    bySubject.put(subject, latest);
    return latest;
  }

  Schema schema(int id) throws IOException, InterruptedException {
    Schema known = byId.get(id);
    if (known != null) return known;
    Schema found = Contract.parse(get("/schemas/ids/" + id).get("schema").asText());
    byId.put(id, found);
    return found;
  }

  private JsonNode get(String path) throws IOException, InterruptedException {
    var answer = http.send(HttpRequest.newBuilder(URI.create(url + path)).build(), BodyHandlers.ofByteArray());
    if (answer.statusCode() != 200) throw new IOException("the registry answers " + answer.statusCode() + " to " + path);
    return json.readTree(answer.body());
  }
}
