#!/usr/bin/env bash
# Verifies addresses from standard input, one a line, and prints each result as it is known: ./verify_list.sh < list.txt
# RCPT_URL and RCPT_API_KEY say where, and for whom.
set -euo pipefail

# Headers and lines of the answer to "$body".
ask() {
  curl --silent --show-error --include --no-buffer --max-time 100 \
    --header @<(printf 'Authorization: Bearer %s\n' "$RCPT_API_KEY") \
    --header 'Content-Type: application/json' \
    --header 'Accept: application/x-ndjson' \
    --header "Idempotency-Key: $key" \
    --data-binary @- \
    "$RCPT_URL/api/v1/verify" <<< "$body"
}

verify() {
  local attempt line status wait done ms known=()
  for attempt in {0..5}; do
    status='' wait=0 done=''
    while IFS= read -r line; do
      if [[ $line =~ ^HTTP/[0-9.]+\ ([0-9]+) ]]; then status=${BASH_REMATCH[1]}
      elif [[ $line =~ ^[Rr]etry-[Aa]fter:\ *([0-9]+) ]]; then wait=${BASH_REMATCH[1]}
      elif [[ $line =~ ^\{\"index\":([0-9]+), ]]; then
        # A repeat has all results again.
        [ -n "${known[${BASH_REMATCH[1]}]-}" ] || printf '%s\n' "$line"
        known[${BASH_REMATCH[1]}]=1
      elif [[ $line == '{"done":true'* ]]; then
        printf '%s\n' "$line"
        done=1
      fi
    done < <(ask)
    [ -z "$done" ] || return 0
    # An error has one line, without an end.
    case $status in
      '') ;; # curl has said why
      200) echo 'The answer was cut off.' >&2 ;;
      409 | 429 | 5??) echo "$status: $line" >&2 ;;
      # 400 and 413: the request is wrong. 401: the key is. 402: there are not enough credits.
      *) echo "$status: $line" >&2; exit 1 ;;
    esac
    # Full jitter, so that many callers do not come back at once.
    ms=$((RANDOM % (500 << attempt)))
    sleep "$(printf '%d.%03d' $((wait + ms / 1000)) $((ms % 1000)))"
  done
  echo 'The service does not answer: try again later, with the addresses that have no result.' >&2
  exit 1
}

# A request takes 500 addresses.
while mapfile -t -n 500 emails && [ "${#emails[@]}" -gt 0 ]; do
  body="{\"emails\":[$(printf '%s\n' "${emails[@]%$'\r'}" | sed 's/[\\"]/\\&/g; s/.*/"&"/' | paste -sd,)]}"
  # A repeat under the same key costs only what was not charged before.
  key=$(od -An -N16 -tx1 /dev/urandom | tr -d ' ')
  verify
done
