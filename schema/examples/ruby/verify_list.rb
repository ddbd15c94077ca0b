# Verifies addresses from standard input, one a line, and prints each result as it is known: ruby verify_list.rb < list.txt
# RCPT_URL and RCPT_API_KEY say where, and for whom.
require "json"
require "net/http"
require "securerandom"

PER_REQUEST = 500
ATTEMPTS = 6
URL = URI("#{ENV.fetch("RCPT_URL")}/api/v1/verify")

# Yields the lines of an answer as they come.
def each_line(response)
  rest = +""
  response.read_body do |bytes|
    rest << bytes
    while (line = rest.slice!(/\A.*\n/))
      yield line
    end
  end
end

# Asks once, and yields the elements of the answer. Returns how many seconds to wait at least before asking again.
def ask(request)
  Net::HTTP.start(URL.host, URL.port, use_ssl: URL.scheme == "https", read_timeout: 100) do |http|
    http.request(request) do |response|
      if response.is_a?(Net::HTTPSuccess)
        each_line(response) { |line| yield JSON.parse(line), response["Idempotency-Charged"].to_i }
        warn "the answer was cut off"
        return 0
      end
      warn "#{response.code}: #{response.read_body}"
      # 400 and 413: the request is wrong. 401: the key is. 402: there are not enough credits.
      exit 1 unless ["409", "429"].include?(response.code) || response.is_a?(Net::HTTPServerError)
      return response["Retry-After"].to_i
    end
  end
rescue SystemCallError, IOError, SocketError, Timeout::Error, OpenSSL::SSL::SSLError => error
  warn error.message
  0
end

# Yields the results in the order in which they are known; each has the "index" of its address.
def verify(emails)
  request = Net::HTTP::Post.new(
    URL,
    "Authorization" => "Bearer #{ENV.fetch("RCPT_API_KEY")}",
    "Content-Type" => "application/json",
    "Accept" => "application/x-ndjson",
    # A repeat under the same key costs only what was not charged before.
    "Idempotency-Key" => SecureRandom.uuid
  )
  request.body = { emails: emails }.to_json
  known = {}
  ATTEMPTS.times do |attempt|
    wait = ask(request) do |element, charged_before|
      return warn "charged #{charged_before + element["charged"]}" if element["done"]

      # A repeat has all results again.
      yield element unless known[element["index"]]
      known[element["index"]] = true
    end
    # Full jitter, so that many callers do not come back at once.
    sleep wait + rand * [30, 0.5 * 2**attempt].min
  end
  abort "The service does not answer: try again later, with the addresses that have no result."
end

$stdout.sync = true
$stdin.each_line(chomp: true).each_slice(PER_REQUEST) do |emails|
  verify(emails) do |result|
    puts [result["email"], result["status"], result["score"], result["reason"] || "-"].join(" ")
  end
end
