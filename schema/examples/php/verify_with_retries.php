<?php
// Verifies some addresses and retries after any failure: php verify_with_retries.php a@example.com b@example.com
// RCPT_URL and RCPT_API_KEY say where, and for whom.
declare(strict_types=1);

const ATTEMPTS = 6;

/** Status, headers by their names in lower case, and body; status 0 if no whole answer came. */
function post(array $emails): array
{
    $context = stream_context_create(['http' => [
        'method' => 'POST',
        'header' => [
            'Authorization: Bearer ' . getenv('RCPT_API_KEY'),
            'Content-Type: application/json',
        ],
        'content' => json_encode(['emails' => $emails], JSON_THROW_ON_ERROR),
        'timeout' => 100,
        'follow_location' => 0,
        'ignore_errors' => true, // the body of an error says what is wrong
    ]]);
    $body = @file_get_contents(getenv('RCPT_URL') . '/api/v1/verify', false, $context);
    if ($body === false || !preg_match('/^HTTP\S+ (\d{3})/', $http_response_header[0] ?? '', $status)) {
        return [0, [], ''];
    }
    $headers = [];
    foreach (array_slice($http_response_header, 1) as $line) {
        [$name, $value] = explode(':', $line, 2);
        $headers[strtolower($name)] = trim($value);
    }
    return [(int) $status[1], $headers, $body];
}

function verify(array $emails): array
{
    for ($attempt = 0; $attempt < ATTEMPTS; $attempt++) {
        [$status, $headers, $body] = post($emails);
        $results = $status === 200 ? json_decode($body, true) : null;
        if ($results !== null) {
            return $results;
        }
        if ($status >= 400 && $status < 500 && $status !== 429) {
            // 400 and 413: the request is wrong. 401: the key is. 402: there are not enough credits.
            fwrite(STDERR, "$status: $body\n");
            exit(1);
        }
        // 429, 5xx, or no answer: a request that breaks off before its answer costs nothing. With full jitter, so that
        // many callers do not come back at once.
        $pause = lcg_value() * min(30, 0.5 * 2 ** $attempt) + (int) ($headers['retry-after'] ?? 0);
        usleep((int) ($pause * 1_000_000));
    }
    fwrite(STDERR, "The service does not answer: try again later.\n");
    exit(1);
}

foreach (verify(array_slice($argv, 1)) as $result) {
    echo implode(' ', [$result['email'], $result['status'], $result['score'], $result['reason'] ?? '-']), "\n";
}
