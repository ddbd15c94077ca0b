import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Verifies addresses from standard input, one a line, and prints each result as it is known:
 * java VerifyList.java &lt; list.txt
 * RCPT_URL and RCPT_API_KEY say where, and for whom. Java has no JSON of its own: read the lines with the library that
 * you use.
 */
public class VerifyList {
  private static final int PER_REQUEST = 500;
  private static final int ATTEMPTS = 6;
  private static final Pattern RESULT = Pattern.compile("\\{\"index\":(\\d+),.*\\}");
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  public static void main(String[] args) throws InterruptedException {
    var emails = new BufferedReader(new InputStreamReader(System.in)).lines().collect(Collectors.toList());
    for (var from = 0; from < emails.size(); from += PER_REQUEST) {
      verify(emails.subList(from, Math.min(from + PER_REQUEST, emails.size())));
    }
  }

  /** Prints the results in the order in which they are known; each has the "index" of its address. */
  static void verify(List<String> emails) throws InterruptedException {
    var list = emails.stream().map(VerifyList::quote).collect(Collectors.joining(","));
    var request = HttpRequest.newBuilder(URI.create(System.getenv("RCPT_URL") + "/api/v1/verify"))
        .header("Authorization", "Bearer " + System.getenv("RCPT_API_KEY"))
        .header("Content-Type", "application/json")
        .header("Accept", "application/x-ndjson")
        // A repeat under the same key costs only what was not charged before.
        .header("Idempotency-Key", UUID.randomUUID().toString())
        .timeout(Duration.ofSeconds(100))
        .POST(HttpRequest.BodyPublishers.ofString("{\"emails\":[" + list + "]}"))
        .build();
    var known = new HashSet<String>();
    for (var attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      // Full jitter, so that many callers do not come back at once.
      var pauseMs = ThreadLocalRandom.current().nextLong(Math.min(30_000, 500L << attempt));
      try {
        var response = CLIENT.send(request, BodyHandlers.ofLines());
        var status = response.statusCode();
        if (status == 200) {
          if (print(response, known)) return;
          System.err.println("The answer was cut off.");
        } else {
          System.err.println(status + ": " + response.body().collect(Collectors.joining()));
          // 400 and 413: the request is wrong. 401: the key is. 402: there are not enough credits.
          if (status < 500 && status != 409 && status != 429) System.exit(1);
          pauseMs += 1_000 * response.headers().firstValueAsLong("Retry-After").orElse(0);
        }
      } catch (IOException | UncheckedIOException error) {
        System.err.println(error);
      }
      Thread.sleep(pauseMs);
    }
    System.err.println("The service does not answer: try again later, with the addresses that have no result.");
    System.exit(1);
  }

  /** Prints the lines that are not known; a repeat has all results again. Returns whether the answer is whole. */
  static boolean print(HttpResponse<Stream<String>> response, Set<String> known) {
    var lines = response.body().iterator();
    while (lines.hasNext()) {
      var line = lines.next();
      var result = RESULT.matcher(line);
      var done = line.startsWith("{\"done\":true");
      if (done || (result.matches() && known.add(result.group(1)))) System.out.println(line);
      if (done) return true;
    }
    return false;
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
