#!/usr/bin/env bash
# Verifies addresses from standard input, one per line, and prints an array of results for each 500: bash verify.sh < list.txt
# It reads the service's address from RCPT_URL, and your key from RCPT_API_KEY.
set -euo pipefail

fail() {
  echo "$1" >&2
  exit 1
}

if [[ -z ${RCPT_URL:-} || -z ${RCPT_API_KEY:-} ]]; then fail 'Set RCPT_URL and RCPT_API_KEY.'; fi

# Headers and body of the answer to "$body". The key goes through a pipe: every user can see the arguments of a command.
ask() {
  curl --silent --show-error --include --max-time 100 \
    --header @<(printf 'Authorization: Bearer %s\n' "$RCPT_API_KEY") \
    --header 'Content-Type: application/json' \
    --header "Idempotency-Key: $key" \
    --data-binary @- \
    "$RCPT_URL/api/v1/verify" <<< "$body"
}

verify() {
  local attempt answer headers status wait ms
  for attempt in {0..5}; do
    wait=0
    if answer=$(ask); then
      # A proxy puts headers of its own before those of the service.
      while [[ $answer == HTTP/* ]]; do
        headers=${answer%%$'\r\n\r\n'*} answer=${answer#*$'\r\n\r\n'}
      done
      status=$(sed -n '1s/^[^ ]* \([0-9]*\).*/\1/p' <<< "$headers")
      if [[ $headers =~ $'\n'[Rr]etry-[Aa]fter:\ *([0-9]+) ]]; then wait=${BASH_REMATCH[1]}; fi
      case $status in
        200) if [[ $answer == \[* ]]; then printf '%s\n' "$answer"; return; fi
          echo 'The answer is not from the service.' >&2 ;;
        409 | 429 | 5??) echo "$status: $answer" >&2 ;;
        # 400 and 413: the request is wrong. 401: the key is. 402: there are not enough credits.
        *) fail "$status: $answer" ;;
      esac
    fi
    # Full jitter, so that many callers do not come back at once.
    ms=$((RANDOM % (500 << attempt)))
    sleep "$(printf '%d.%03d' $((wait + ms / 1000)) $((ms % 1000)))"
  done
  fail 'The service does not answer: try again later, with the addresses that have no result.'
}

mapfile -t all < <(tr -d '\r' | sed '/^[[:space:]]*$/d')
if [ "${#all[@]}" -eq 0 ]; then fail 'Usage: bash verify.sh < list.txt, with one address per line.'; fi
for ((from = 0; from < ${#all[@]}; from += 500)); do
  # In JSON a backslash stands before each backslash and each quotation mark.
  body="{\"emails\":[$(printf '%s\n' "${all[@]:from:500}" | sed 's/[\\"]/\\&/g; s/.*/"&"/' | paste -sd,)]}"
  # A repeat under the same key costs only what was not charged before.
  key=$(od -An -N16 -tx1 /dev/urandom | tr -d ' ')
  verify
done
