<?php
// Verifies addresses from standard input, one a line, and prints each result as it is known: php verify_list.php < list.txt
// RCPT_URL and RCPT_API_KEY say where, and for whom.
declare(strict_types=1);

const PER_REQUEST = 500;

/** Yields the results in the order in which they are known; each has the "index" of its address. */
function verify(array $emails): Generator
{
    $context = stream_context_create(['http' => [
        'method' => 'POST',
        'header' => [
            'Authorization: Bearer ' . getenv('RCPT_API_KEY'),
            'Content-Type: application/json',
            'Accept: application/x-ndjson',
        ],
        'content' => json_encode(['emails' => $emails], JSON_THROW_ON_ERROR),
        'timeout' => 100,
        'follow_location' => 0,
        'ignore_errors' => true, // the body of an error says what is wrong
    ]]);
    $answer = fopen(getenv('RCPT_URL') . '/api/v1/verify', 'r', false, $context);
    if ($answer === false) {
        exit(1); // PHP has said why
    }
    if (!str_contains($http_response_header[0], ' 200')) {
        fwrite(STDERR, stream_get_contents($answer) . "\n");
        exit(1);
    }
    while (($line = fgets($answer)) !== false) {
        $element = json_decode($line, true, flags: JSON_THROW_ON_ERROR);
        if ($element['done'] ?? false) {
            fwrite(STDERR, "charged {$element['charged']}, returned {$element['returned']}\n");
            return;
        }
        yield $element;
    }
    // What the service had not written costs nothing: ask again for the addresses that are missing.
    throw new RuntimeException('the answer was cut off');
}

$addresses = array_filter(array_map('trim', file('php://stdin')), 'strlen');
foreach (array_chunk($addresses, PER_REQUEST) as $emails) {
    foreach (verify($emails) as $result) {
        echo implode(' ', [$result['email'], $result['status'], $result['score'], $result['reason'] ?? '-']), "\n";
    }
}
