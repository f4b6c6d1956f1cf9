import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Apache Kafka's own producer. `write BROKERS COMPRESSION` sends a record for every line of the standard input (topic,
 * partition, key, value; the bytes in Base64, `-` for none), all of them in one batch where they fit, and prints
 * `partition offset` for each and the ratio to which they were compressed. `abort BROKERS TOPIC PARTITION COUNT THREADS`
 * aborts so many transactions of a record each.
 */
public class ForeignProducer {
  public static void main(String[] args) throws Exception {
    if (args[0].equals("write")) write(args[1], args[2]);
    else abort(args[1], args[2], Integer.parseInt(args[3]), Integer.parseInt(args[4]), Integer.parseInt(args[5]));
  }

  private static Properties settings(String brokers) {
    Properties settings = new Properties();
    settings.put("bootstrap.servers", brokers);
    settings.put("key.serializer", ByteArraySerializer.class.getName());
    settings.put("value.serializer", ByteArraySerializer.class.getName());
    settings.put("max.request.size", "4194304");
    settings.put("batch.size", "4000000");
    return settings;
  }

  private static void write(String brokers, String compression) throws Exception {
    Properties settings = settings(brokers);
    settings.put("compression.type", compression);
    settings.put("linger.ms", "1000");
    try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(settings)) {
      BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
      List<Future<RecordMetadata>> sent = new ArrayList<>();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] fields = line.split("\t");
        Integer partition = fields[1].equals("-") ? null : Integer.valueOf(fields[1]);
        sent.add(producer.send(new ProducerRecord<>(fields[0], partition, bytes(fields[2]), bytes(fields[3]))));
      }
      producer.flush();
      for (Future<RecordMetadata> one : sent)
        System.out.println(one.get().partition() + " " + one.get().offset());
      producer.metrics().forEach((name, metric) -> {
        if (name.name().equals("compression-rate-avg") && name.group().equals("producer-metrics"))
          System.out.println("ratio " + metric.metricValue());
      });
    }
  }

  private static byte[] bytes(String field) {
    return field.equals("-") ? null : Base64.getDecoder().decode(field);
  }

  private static void abort(String brokers, String topic, int partition, int count, int threads) throws Exception {
    List<Thread> running = new ArrayList<>();
    for (int thread = 0; thread < threads; thread += 1) {
      Properties settings = settings(brokers);
      settings.put("transactional.id", topic + "-abort-" + thread);
      settings.put("linger.ms", "0");
      int share = count / threads;
      Thread worker = new Thread(() -> {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(settings)) {
          producer.initTransactions();
          for (int turn = 0; turn < share; turn += 1) {
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(topic, partition, new byte[] {1}, new byte[] {2}));
            producer.flush();
            producer.abortTransaction();
          }
        } catch (RuntimeException error) {
          error.printStackTrace();
          System.exit(1);
        }
      });
      worker.start();
      running.add(worker);
    }
    for (Thread worker : running) worker.join();
  }
}
