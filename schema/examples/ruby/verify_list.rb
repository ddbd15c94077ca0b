# Verifies addresses from standard input, one a line, and prints each result as it is known: ruby verify_list.rb < list.txt
# RCPT_URL and RCPT_API_KEY say where, and for whom.
require "json"
require "net/http"

PER_REQUEST = 500
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

# Yields the results in the order in which they are known; each has the "index" of its address.
def verify(emails)
  request = Net::HTTP::Post.new(
    URL,
    "Authorization" => "Bearer #{ENV.fetch("RCPT_API_KEY")}",
    "Content-Type" => "application/json",
    "Accept" => "application/x-ndjson"
  )
  request.body = { emails: emails }.to_json
  bill = nil
  Net::HTTP.start(URL.host, URL.port, use_ssl: URL.scheme == "https", read_timeout: 100) do |http|
    http.request(request) do |response|
      abort "#{response.code}: #{response.read_body}" unless response.is_a?(Net::HTTPSuccess)

      each_line(response) do |line|
        element = JSON.parse(line)
        element["done"] ? bill = element : yield(element)
      end
    end
  end
  # What the service had not written costs nothing: ask again for the addresses that are missing.
  raise EOFError, "the answer was cut off" if bill.nil?

  warn "charged #{bill["charged"]}, returned #{bill["returned"]}"
end

$stdout.sync = true
$stdin.each_line(chomp: true).each_slice(PER_REQUEST) do |emails|
  verify(emails) do |result|
    puts [result["email"], result["status"], result["score"], result["reason"] || "-"].join(" ")
  end
end
