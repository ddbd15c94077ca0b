<?php
// Verifies one address: php verify_one.php someone@example.com
// RCPT_URL and RCPT_API_KEY say where, and for whom.
declare(strict_types=1);

$context = stream_context_create(['http' => [
    'method' => 'POST',
    'header' => [
        'Authorization: Bearer ' . getenv('RCPT_API_KEY'),
        'Content-Type: application/json',
    ],
    'content' => json_encode(['emails' => [$argv[1]]], JSON_THROW_ON_ERROR),
    'timeout' => 100, // the service takes 90 s at most
    'follow_location' => 0, // the key goes nowhere else
    'ignore_errors' => true, // the body of an error says what is wrong
]]);
$body = file_get_contents(getenv('RCPT_URL') . '/api/v1/verify', false, $context);
if ($body === false) {
    exit(1); // PHP has said why
}
if (!str_contains($http_response_header[0], ' 200')) {
    fwrite(STDERR, "$body\n");
    exit(1);
}
[$result] = json_decode($body, true, flags: JSON_THROW_ON_ERROR);
echo implode(' ', [$result['email'], $result['status'], $result['score'], $result['reason'] ?? '-']), "\n";
