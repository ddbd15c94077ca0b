import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/**
 * Verifies one address: java VerifyOne.java someone@example.com
 * RCPT_URL and RCPT_API_KEY say where, and for whom. Java has no JSON of its own: read the answer with the library that
 * you use.
 */
public class VerifyOne {
  public static void main(String[] args) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(System.getenv("RCPT_URL") + "/api/v1/verify"))
        .header("Authorization", "Bearer " + System.getenv("RCPT_API_KEY"))
        .header("Content-Type", "application/json")
        .timeout(Duration.ofSeconds(100)) // the service takes 90 s at most
        .POST(HttpRequest.BodyPublishers.ofString("{\"emails\":[" + quote(args[0]) + "]}"))
        .build();
    var response = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    if (response.statusCode() != 200) {
      System.err.println(response.statusCode() + ": " + response.body());
      System.exit(1);
    }
    System.out.println(response.body());
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
