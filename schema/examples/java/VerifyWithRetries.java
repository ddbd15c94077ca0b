import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;

/**
 * Verifies some addresses and retries after any failure: java VerifyWithRetries.java a@example.com b@example.com
 * RCPT_URL and RCPT_API_KEY say where, and for whom. Java has no JSON of its own: read the answer with the library that
 * you use.
 */
public class VerifyWithRetries {
  private static final int ATTEMPTS = 6;
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  public static void main(String[] args) throws InterruptedException {
    var list = Arrays.stream(args).map(VerifyWithRetries::quote).collect(Collectors.joining(","));
    var request = HttpRequest.newBuilder(URI.create(System.getenv("RCPT_URL") + "/api/v1/verify"))
        .header("Authorization", "Bearer " + System.getenv("RCPT_API_KEY"))
        .header("Content-Type", "application/json")
        .timeout(Duration.ofSeconds(100))
        .POST(HttpRequest.BodyPublishers.ofString("{\"emails\":[" + list + "]}"))
        .build();
    System.out.println(send(request));
  }

  static String send(HttpRequest request) throws InterruptedException {
    for (var attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      // Full jitter, so that many callers do not come back at once.
      var pauseMs = ThreadLocalRandom.current().nextLong(Math.min(30_000, 500L << attempt));
      try {
        var response = CLIENT.send(request, BodyHandlers.ofString());
        var status = response.statusCode();
        if (status == 200) return response.body();
        if (status == 429) pauseMs += 1_000 * response.headers().firstValueAsLong("Retry-After").orElse(1);
        else if (status < 500) {
          // 400 and 413: the request is wrong. 401: the key is. 402: there are not enough credits.
          System.err.println(status + ": " + response.body());
          System.exit(1);
        }
      } catch (IOException error) {
        // A request that breaks off before its answer costs nothing.
        System.err.println(error);
      }
      Thread.sleep(pauseMs);
    }
    System.err.println("The service does not answer: try again later.");
    System.exit(1);
    throw new AssertionError();
  }

  /** A JSON string. */
  static String quote(String text) {
    var json = new StringBuilder("\"");
    for (var c : text.toCharArray()) {
      if (c == '"' || c == '\\') json.append('\\').append(c);
      else if (c < ' ') json.append(String.format("\\u%04x", (int) c));
      else json.append(c);
    }
    return json.append('"').toString();
  }
}
