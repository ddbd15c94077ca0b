// A first call in several languages, with nothing but what each language brings along. Pure.

export const LANGUAGES = ['curl', 'TypeScript', 'Python', 'Go', 'PHP', 'Ruby', 'Java'] as const;
export type Language = (typeof LANGUAGES)[number];

/** An address of the sandbox: a test key gives its verdict for nothing. */
const ADDRESS = 'ok@deliverable.test';

/**
 * The code of a first call, ready to be copied.
 * @param origin such as `https://verify.example.com`
 * @param key an API key; it has letters, digits and `_` alone, which no language needs to quote
 */
export function sampleOf(language: Language, origin: string, key: string): string {
  const url = `${origin}/api/v1/verify`;
  switch (language) {
    case 'curl':
      return `curl --fail-with-body ${url} \\
  --header 'Authorization: Bearer ${key}' \\
  --header 'Content-Type: application/json' \\
  --data '{"emails": ["${ADDRESS}"]}'`;
    case 'TypeScript':
      return `const response = await fetch('${url}', {
  method: 'POST',
  headers: {
    Authorization: 'Bearer ${key}',
    'Content-Type': 'application/json',
  },
  body: JSON.stringify({ emails: ['${ADDRESS}'] }),
});
if (!response.ok) throw new Error(await response.text());
for (const { email, status, reason } of await response.json())
  console.log(email, status, reason);`;
    case 'Python':
      return `import json
from urllib.request import Request, urlopen

request = Request(
    "${url}",
    data=json.dumps({"emails": ["${ADDRESS}"]}).encode(),
    headers={
        "Authorization": "Bearer ${key}",
        "Content-Type": "application/json",
    },
)
with urlopen(request, timeout=100) as response:
    for result in json.load(response):
        print(result["email"], result["status"], result["reason"])`;
    case 'Go':
      return `package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"strings"
	"time"
)

func main() {
	body := strings.NewReader(\`{"emails": ["${ADDRESS}"]}\`)
	request, err := http.NewRequest("POST", "${url}", body)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer ${key}")
	request.Header.Set("Content-Type", "application/json")
	client := &http.Client{Timeout: 100 * time.Second}
	response, err := client.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		log.Fatal(response.Status)
	}
	var results []struct {
		Email, Status string
		Reason        *string
	}
	if err := json.NewDecoder(response.Body).Decode(&results); err != nil {
		log.Fatal(err)
	}
	for _, result := range results {
		fmt.Println(result.Email, result.Status)
	}
}`;
    case 'PHP':
      return `<?php
$request = stream_context_create(['http' => [
    'method' => 'POST',
    'header' => [
        'Authorization: Bearer ${key}',
        'Content-Type: application/json',
    ],
    'content' => json_encode(['emails' => ['${ADDRESS}']]),
    'timeout' => 100,
]]);
$answer = file_get_contents('${url}', false, $request);
if ($answer === false) exit(1);
foreach (json_decode($answer, true) as $result) {
    echo $result['email'], ' ', $result['status'], "\\n";
}`;
    case 'Ruby':
      return `require "json"
require "net/http"

uri = URI("${url}")
request = Net::HTTP::Post.new(
  uri,
  "Authorization" => "Bearer ${key}",
  "Content-Type" => "application/json"
)
request.body = { emails: ["${ADDRESS}"] }.to_json
response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == "https", read_timeout: 100) do |http|
  http.request(request)
end
response.value # raises unless it is a success
JSON.parse(response.body).each { |result| puts result["email"] + " " + result["status"] }`;
    case 'Java':
      return `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

public class Verify {
  public static void main(String[] args) throws Exception {
    var request = HttpRequest.newBuilder(URI.create("${url}"))
        .header("Authorization", "Bearer ${key}")
        .header("Content-Type", "application/json")
        .timeout(Duration.ofSeconds(100))
        .POST(HttpRequest.BodyPublishers.ofString("{\\"emails\\": [\\"${ADDRESS}\\"]}"))
        .build();
    var response = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    if (response.statusCode() != 200) throw new IllegalStateException(response.body());
    // Java brings no JSON along: read this with the library that you use.
    System.out.println(response.body());
  }
}`;
  }
}
