# Verifies one address: ruby verify_one.rb someone@example.com
# RCPT_URL and RCPT_API_KEY say where, and for whom.
require "json"
require "net/http"

uri = URI("#{ENV.fetch("RCPT_URL")}/api/v1/verify")
request = Net::HTTP::Post.new(
  uri,
  "Authorization" => "Bearer #{ENV.fetch("RCPT_API_KEY")}",
  "Content-Type" => "application/json"
)
request.body = { emails: [ARGV.fetch(0)] }.to_json

# The service takes 90 s at most.
response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == "https", read_timeout: 100) do |http|
  http.request(request)
end
abort "#{response.code}: #{response.body}" unless response.is_a?(Net::HTTPSuccess)

result, = JSON.parse(response.body)
puts [result["email"], result["status"], result["score"], result["reason"] || "-"].join(" ")
