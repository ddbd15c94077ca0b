<?php
// Verifies addresses from standard input, one per line: php verify.php < list.txt
// It reads the service's address from RCPT_URL, and your key from RCPT_API_KEY.
declare(strict_types=1);

/** Returns one result for each address, in their order. */
function verify(array $emails): array
{
    $context = stream_context_create(['http' => [
        'method' => 'POST',
        'header' => [
            'Authorization: Bearer ' . getenv('RCPT_API_KEY'),
            'Content-Type: application/json',
            // A repeat under the same key costs only what was not charged before.
            'Idempotency-Key: ' . bin2hex(random_bytes(16)),
        ],
        'content' => json_encode(['emails' => $emails], JSON_THROW_ON_ERROR),
        'timeout' => 100,
        'follow_location' => 0, // the key goes nowhere else
        'ignore_errors' => true, // the body of an error says what is wrong
    ]]);
    for ($attempt = 0; $attempt < 6; $attempt++) {
        $http_response_header = [];
        $body = @file_get_contents(getenv('RCPT_URL') . '/api/v1/verify', false, $context);
        $headers = implode("\n", $http_response_header);
        $status = preg_match('/^HTTP\S+ (\d{3})/', $headers, $found) ? (int) $found[1] : 0;
        $results = $status === 200 ? json_decode((string) $body, true) : null;
        if ($results !== null) {
            return $results;
        }
        fwrite(STDERR, match ($status) {
            0 => error_get_last()['message'],
            200 => 'the answer was cut off',
            default => "$status: $body",
        } . "\n");
        if ($status >= 300 && $status < 500 && $status !== 409 && $status !== 429) {
            exit(1); // 400 and 413: the request is wrong. 401: the key is. 402: there are not enough credits.
        }
        $wait = preg_match('/^retry-after: *(\d+)/mi', $headers, $found) ? (int) $found[1] : 0;
        // Full jitter, so that many callers do not come back at once.
        usleep((int) (1_000_000 * ($wait + lcg_value() * 0.5 * 2 ** $attempt)));
    }
    fail('The service does not answer: try again later, with the addresses that have no result.');
}

function fail(string $message): never
{
    fwrite(STDERR, "$message\n");
    exit(1);
}

if (!getenv('RCPT_URL') || !getenv('RCPT_API_KEY')) {
    fail('Set RCPT_URL and RCPT_API_KEY.');
}
$addresses = array_filter(array_map('trim', file('php://stdin')), 'strlen');
if ($addresses === []) {
    fail('Usage: php verify.php < list.txt, with one address per line.');
}
foreach (array_chunk($addresses, 500) as $emails) {
    foreach (verify($emails) as $result) {
        echo implode(' ', [$result['email'], $result['status'], $result['score'], $result['reason'] ?? '-']), "\n";
    }
}
