"""Verifies addresses from standard input, one per line: python3 verify.py < list.txt

It reads the service's address from RCPT_URL, and your key from RCPT_API_KEY.
"""
import json
import os
import random
import sys
import time
import uuid
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.request import Request, urlopen


def verify(emails):
    """Returns one result for each address, in their order."""
    request = Request(
        os.environ["RCPT_URL"] + "/api/v1/verify",
        data=json.dumps({"emails": emails}).encode(),
        headers={
            "Authorization": "Bearer " + os.environ["RCPT_API_KEY"],
            "Content-Type": "application/json",
            # A repeat under the same key costs only what was not charged before.
            "Idempotency-Key": str(uuid.uuid4()),
        },
    )
    for attempt in range(6):
        # Full jitter, so that many callers do not come back at once.
        pause = random.uniform(0, 0.5 * 2**attempt)
        try:
            with urlopen(request, timeout=100) as response:
                return json.load(response)
        except HTTPError as error:
            print(f"{error.code}: {error.read().decode()}", file=sys.stderr)
            if error.code < 500 and error.code not in (409, 429):
                # 400 and 413: the request is wrong. 401: the key is. 402: there are not enough credits.
                sys.exit(1)
            seconds = error.headers.get("Retry-After", "")
            pause += int(seconds) if seconds.isdecimal() else 0  # a date is a proxy's
        except (OSError, HTTPException, ValueError) as error:
            print(error, file=sys.stderr)
        time.sleep(pause)
    sys.exit("The service does not answer: try again later, with the addresses that have no result.")


if not os.environ.get("RCPT_URL") or not os.environ.get("RCPT_API_KEY"):
    sys.exit("Set RCPT_URL and RCPT_API_KEY.")
addresses = [line.strip() for line in sys.stdin if line.strip()]
if not addresses:
    sys.exit("Usage: python3 verify.py < list.txt, with one address per line.")
for start in range(0, len(addresses), 500):
    for result in verify(addresses[start : start + 500]):
        print(result["email"], result["status"], result["score"], result["reason"] or "-")
