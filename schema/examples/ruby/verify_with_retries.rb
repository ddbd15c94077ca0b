# Verifies some addresses and retries after any failure: ruby verify_with_retries.rb a@example.com b@example.com
# RCPT_URL and RCPT_API_KEY say where, and for whom.
require "json"
require "net/http"

ATTEMPTS = 6
URL = URI("#{ENV.fetch("RCPT_URL")}/api/v1/verify")

def post(emails)
  request = Net::HTTP::Post.new(
    URL,
    "Authorization" => "Bearer #{ENV.fetch("RCPT_API_KEY")}",
    "Content-Type" => "application/json"
  )
  request.body = { emails: emails }.to_json
  Net::HTTP.start(URL.host, URL.port, use_ssl: URL.scheme == "https", read_timeout: 100) { |http| http.request(request) }
end

def verify(emails)
  ATTEMPTS.times do |attempt|
    # Full jitter, so that many callers do not come back at once.
    pause = rand * [30, 0.5 * 2**attempt].min
    begin
      response = post(emails)
      case response.code.to_i
      when 200 then return JSON.parse(response.body)
      when 429 then pause += response["Retry-After"].to_i
      when 500.. then warn "#{response.code}: asking again"
      # 400 and 413: the request is wrong. 401: the key is. 402: there are not enough credits.
      else abort "#{response.code}: #{response.body}"
      end
    rescue SystemCallError, IOError, SocketError, Timeout::Error, OpenSSL::SSL::SSLError => error
      # A request that breaks off before its answer costs nothing.
      warn error.message
    end
    sleep pause
  end
  abort "The service does not answer: try again later."
end

verify(ARGV).each do |result|
  puts [result["email"], result["status"], result["score"], result["reason"] || "-"].join(" ")
end
