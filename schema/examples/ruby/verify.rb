# Verifies addresses from standard input, one per line: ruby verify.rb < list.txt
# It reads the service's address from RCPT_URL, and your key from RCPT_API_KEY.
require "json"
require "net/http"
require "securerandom"

KEY = ENV.fetch("RCPT_API_KEY", "")
abort "Set RCPT_URL and RCPT_API_KEY." if KEY.empty? || ENV.fetch("RCPT_URL", "").empty?
URL = URI("#{ENV["RCPT_URL"]}/api/v1/verify")

def ask(request)
  options = { use_ssl: URL.scheme == "https", read_timeout: 100 }
  Net::HTTP.start(URL.host, URL.port, options) { |http| http.request(request) }
rescue SystemCallError, IOError, SocketError, Timeout::Error, OpenSSL::SSL::SSLError => error
  warn error.message
end

# Returns one result for each address, in their order.
def verify(emails)
  request = Net::HTTP::Post.new(
    URL,
    "Authorization" => "Bearer #{KEY}",
    "Content-Type" => "application/json",
    # A repeat under the same key costs only what was not charged before.
    "Idempotency-Key" => SecureRandom.uuid
  )
  request.body = { emails: emails }.to_json
  6.times do |attempt|
    response = ask(request)
    begin
      return JSON.parse(response.body) if response.is_a?(Net::HTTPSuccess)
    rescue JSON::ParserError
      warn "The answer was cut off."
      response = nil
    end

    unless response.nil?
      warn "#{response.code}: #{response.body}"
      # 400 and 413: the request is wrong. 401: the key is. 402: there are not enough credits.
      exit 1 unless ["409", "429"].include?(response.code) || response.is_a?(Net::HTTPServerError)
    end
    # Full jitter, so that many callers do not come back at once.
    sleep (response ? response["Retry-After"].to_i : 0) + rand * 0.5 * 2**attempt
  end
  abort "The service does not answer: try again later, with the addresses that have no result."
end

addresses = $stdin.each_line.map(&:strip).reject(&:empty?)
abort "Usage: ruby verify.rb < list.txt, with one address per line." if addresses.empty?
addresses.each_slice(500) do |emails|
  verify(emails).each do |result|
    puts [result["email"], result["status"], result["score"], result["reason"] || "-"].join(" ")
  end
end
