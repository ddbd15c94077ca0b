import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;

/**
 * Verifies addresses from standard input, one per line, and prints an array of results for each 500: java Verify.java &lt; list.txt
 * It reads the service's address from RCPT_URL, and your key from RCPT_API_KEY.
 * Java has no JSON of its own: use the library that you have.
 */
public class Verify {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  public static void main(String[] args) throws InterruptedException {
    if (variable("RCPT_URL").isEmpty() || variable("RCPT_API_KEY").isEmpty()) fail("Set RCPT_URL and RCPT_API_KEY.");
    var lines = new BufferedReader(new InputStreamReader(System.in)).lines();
    var emails = lines.map(String::strip).filter(line -> !line.isEmpty()).collect(Collectors.toList());
    if (emails.isEmpty()) fail("Usage: java Verify.java < list.txt, with one address per line.");
    for (var from = 0; from < emails.size(); from += 500) {
      System.out.println(verify(emails.subList(from, Math.min(from + 500, emails.size()))));
    }
  }

  private static String variable(String name) {
    return Objects.requireNonNullElse(System.getenv(name), "");
  }

  private static void fail(String message) {
    System.err.println(message);
    System.exit(1);
  }

  /** One result for each address, in their order, as JSON. */
  static String verify(List<String> emails) throws InterruptedException {
    // In JSON a backslash stands before each backslash and each quotation mark.
    var quoted = emails.stream().map(email -> email.replaceAll("[\\\\\"]", "\\\\$0"));
    var list = quoted.collect(Collectors.joining("\",\"", "[\"", "\"]"));
    var request = HttpRequest.newBuilder(URI.create(variable("RCPT_URL") + "/api/v1/verify"))
        .header("Authorization", "Bearer " + variable("RCPT_API_KEY"))
        .header("Content-Type", "application/json")
        // A repeat under the same key costs only what was not charged before.
        .header("Idempotency-Key", UUID.randomUUID().toString())
        .timeout(Duration.ofSeconds(100))
        .POST(HttpRequest.BodyPublishers.ofString("{\"emails\":" + list + "}"))
        .build();
    for (var attempt = 0; attempt < 6; attempt += 1) {
      // Full jitter, so that many callers do not come back at once.
      var pauseMs = ThreadLocalRandom.current().nextLong(500L << attempt);
      try {
        var response = CLIENT.send(request, BodyHandlers.ofString());
        var status = response.statusCode();
        if (status == 200 && response.body().startsWith("[")) return response.body();
        var message = status + ": " + response.body();
        // 400 and 413: the request is wrong. 401: the key is. 402: there are not enough credits.
        if (status != 200 && status < 500 && status != 409 && status != 429) fail(message);
        System.err.println(message);
        var wait = response.headers().firstValue("Retry-After").orElse("");
        if (wait.matches("\\d{1,5}")) pauseMs += 1_000 * Long.parseLong(wait); // a date is a proxy's
      } catch (IOException error) {
        System.err.println(error);
      }
      Thread.sleep(pauseMs);
    }
    fail("The service does not answer: try again later, with the addresses that have no result.");
    return null;
  }
}
