#!/usr/bin/env bash
# Verifies some addresses and retries after any failure: ./verify_with_retries.sh a@example.com b@example.com
# RCPT_URL and RCPT_API_KEY say where, and for whom.
set -euo pipefail

list=$(printf '%s\n' "$@" | sed 's/[\\"]/\\&/g; s/.*/"&"/' | paste -sd,)
answer=$(mktemp)
trap 'rm -f "$answer"' EXIT

# curl asks again after 429, 5xx and failed connections, and heeds Retry-After. A request that breaks off before its
# answer costs nothing.
status=$(curl --silent --show-error --max-time 100 --retry 5 --retry-all-errors \
  --header @<(printf 'Authorization: Bearer %s\n' "$RCPT_API_KEY") \
  --header 'Content-Type: application/json' \
  --data "{\"emails\":[$list]}" \
  --output "$answer" --write-out '%{http_code}' \
  "$RCPT_URL/api/v1/verify")

case $status in
  200) cat "$answer" ;;
  401) echo "401: check RCPT_API_KEY" >&2; exit 1 ;;
  402) echo "402: buy credits: $(cat "$answer")" >&2; exit 1 ;;
  *) echo "$status: $(cat "$answer")" >&2; exit 1 ;;
esac
