<?php
// Verifies addresses from standard input, one a line, and prints each result as it is known: php verify_list.php < list.txt
// RCPT_URL and RCPT_API_KEY say where, and for whom.
declare(strict_types=1);

const PER_REQUEST = 500;
const ATTEMPTS = 6;

/** Yields the results in the order in which they are known; each has the "index" of its address. */
function verify(array $emails): Generator
{
    $context = stream_context_create(['http' => [
        'method' => 'POST',
        'header' => [
            'Authorization: Bearer ' . getenv('RCPT_API_KEY'),
            'Content-Type: application/json',
            'Accept: application/x-ndjson',
            // A repeat under the same key costs only what was not charged before.
            'Idempotency-Key: ' . bin2hex(random_bytes(16)),
        ],
        'content' => json_encode(['emails' => $emails], JSON_THROW_ON_ERROR),
        'timeout' => 100,
        'follow_location' => 0,
        'ignore_errors' => true, // the body of an error says what is wrong
    ]]);
    $known = [];
    for ($attempt = 0; $attempt < ATTEMPTS; $attempt++) {
        $answer = @fopen(getenv('RCPT_URL') . '/api/v1/verify', 'r', false, $context);
        $headers = $answer === false ? '' : implode("\n", stream_get_meta_data($answer)['wrapper_data']);
        $status = preg_match('/^HTTP\S+ (\d{3})/', $headers, $found) ? (int) $found[1] : 0;
        while ($status === 200 && ($element = json_decode((string) fgets($answer), true)) !== null) {
            if ($element['done'] ?? false) {
                $before = preg_match('/^idempotency-charged: *(\d+)/mi', $headers, $found) ? (int) $found[1] : 0;
                fwrite(STDERR, 'charged ' . ($before + $element['charged']) . "\n");
                return;
            }
            if (!isset($known[$element['index']])) { // a repeat has all results again
                $known[$element['index']] = true;
                yield $element;
            }
        }
        fwrite(STDERR, match ($status) {
            0 => error_get_last()['message'],
            200 => 'the answer was cut off',
            default => "$status: " . stream_get_contents($answer),
        } . "\n");
        if ($status >= 300 && $status < 500 && $status !== 409 && $status !== 429) {
            exit(1); // 400 and 413: the request is wrong. 401: the key is. 402: there are not enough credits.
        }
        $wait = preg_match('/^retry-after: *(\d+)/mi', $headers, $found) ? (int) $found[1] : 0;
        // Full jitter, so that many callers do not come back at once.
        usleep((int) (1_000_000 * ($wait + lcg_value() * min(30, 0.5 * 2 ** $attempt))));
    }
    fwrite(STDERR, "The service does not answer: try again later, with the addresses that have no result.\n");
    exit(1);
}

$addresses = array_filter(array_map('trim', file('php://stdin')), 'strlen');
foreach (array_chunk($addresses, PER_REQUEST) as $emails) {
    foreach (verify($emails) as $result) {
        echo implode(' ', [$result['email'], $result['status'], $result['score'], $result['reason'] ?? '-']), "\n";
    }
}
