#!/usr/bin/env bash
# Verifies one address: ./verify_one.sh someone@example.com
# RCPT_URL and RCPT_API_KEY say where, and for whom.
set -euo pipefail

# In JSON a backslash stands before each backslash and each quotation mark.
email=$(sed 's/[\\"]/\\&/g' <<< "$1")

# The key goes through a pipe: every user of a machine can see the arguments of a command.
curl --silent --show-error --fail-with-body --max-time 100 \
  --header @<(printf 'Authorization: Bearer %s\n' "$RCPT_API_KEY") \
  --header 'Content-Type: application/json' \
  --data "{\"emails\":[\"$email\"]}" \
  "$RCPT_URL/api/v1/verify"
