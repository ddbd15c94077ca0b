import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Verifies addresses from standard input, one a line, and prints each result as it is known:
 * java VerifyList.java &lt; list.txt
 * RCPT_URL and RCPT_API_KEY say where, and for whom. Java has no JSON of its own: read the lines with the library that
 * you use.
 */
public class VerifyList {
  private static final int PER_REQUEST = 500;
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  public static void main(String[] args) throws Exception {
    var emails = new BufferedReader(new InputStreamReader(System.in)).lines().collect(Collectors.toList());
    for (var from = 0; from < emails.size(); from += PER_REQUEST) {
      verify(emails.subList(from, Math.min(from + PER_REQUEST, emails.size())));
    }
  }

  /** Prints the results in the order in which they are known; each has the "index" of its address. */
  static void verify(List<String> emails) throws IOException, InterruptedException {
    var list = emails.stream().map(VerifyList::quote).collect(Collectors.joining(","));
    var request = HttpRequest.newBuilder(URI.create(System.getenv("RCPT_URL") + "/api/v1/verify"))
        .header("Authorization", "Bearer " + System.getenv("RCPT_API_KEY"))
        .header("Content-Type", "application/json")
        .header("Accept", "application/x-ndjson")
        .timeout(Duration.ofSeconds(100))
        .POST(HttpRequest.BodyPublishers.ofString("{\"emails\":[" + list + "]}"))
        .build();
    var response = CLIENT.send(request, BodyHandlers.ofLines());
    if (response.statusCode() != 200) {
      throw new IOException(response.statusCode() + ": " + response.body().collect(Collectors.joining()));
    }
    var lines = response.body().iterator();
    var last = "";
    while (lines.hasNext()) {
      last = lines.next();
      System.out.println(last);
    }
    // What the service had not written costs nothing: ask again for the addresses that are missing.
    if (!last.startsWith("{\"done\":true")) throw new IOException("the answer was cut off");
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
