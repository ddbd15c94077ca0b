#!/usr/bin/env bash
# Verifies addresses from standard input, one a line, and prints each result as it is known: ./verify_list.sh < list.txt
# RCPT_URL and RCPT_API_KEY say where, and for whom.
set -euo pipefail

# A request takes 500 addresses.
while mapfile -t -n 500 emails && [ "${#emails[@]}" -gt 0 ]; do
  list=$(printf '%s\n' "${emails[@]%$'\r'}" | sed 's/[\\"]/\\&/g; s/.*/"&"/' | paste -sd,)
  printf '{"emails":[%s]}' "$list" |
    curl --silent --show-error --no-buffer --max-time 100 \
      --header @<(printf 'Authorization: Bearer %s\n' "$RCPT_API_KEY") \
      --header 'Content-Type: application/json' \
      --header 'Accept: application/x-ndjson' \
      --data-binary @- \
      "$RCPT_URL/api/v1/verify" |
    {
      while IFS= read -r line || [ -n "$line" ]; do
        # A refusal is one line, with the reason.
        [[ $line != '{"error":'* ]] || { printf '%s\n' "$line" >&2; exit 1; }
        printf '%s\n' "$line"
        [[ $line != '{"done":true'* ]] || exit 0
      done
      # What the service had not written costs nothing: ask again for the addresses that are missing.
      echo 'The answer was cut off.' >&2
      exit 1
    }
done
