"""Verifies addresses from standard input, one a line, and prints each result as it is known.

    python3 verify_list.py < list.txt

RCPT_URL and RCPT_API_KEY say where, and for whom.
"""
import json
import os
import random
import sys
import time
import uuid
from http.client import HTTPException
from itertools import islice
from urllib.error import HTTPError
from urllib.request import Request, urlopen

PER_REQUEST = 500
ATTEMPTS = 6


def verify(emails):
    """Yields the results in the order in which they are known; each has the "index" of its address."""
    request = Request(
        os.environ["RCPT_URL"] + "/api/v1/verify",
        data=json.dumps({"emails": emails}).encode(),
        headers={
            "Authorization": "Bearer " + os.environ["RCPT_API_KEY"],
            "Content-Type": "application/json",
            "Accept": "application/x-ndjson",
            # A repeat under the same key costs only what was not charged before.
            "Idempotency-Key": str(uuid.uuid4()),
        },
    )
    known = set()
    for attempt in range(ATTEMPTS):
        # Full jitter, so that many callers do not come back at once.
        pause = random.uniform(0, min(30, 0.5 * 2**attempt))
        try:
            with urlopen(request, timeout=100) as response:
                for line in response:
                    element = json.loads(line)
                    if element.get("done"):
                        charged = int(response.headers.get("Idempotency-Charged", "0")) + element["charged"]
                        print(f"charged {charged}", file=sys.stderr)
                        return
                    # A repeat has all results again.
                    if element["index"] not in known:
                        known.add(element["index"])
                        yield element
            print("the answer was cut off", file=sys.stderr)
        except HTTPError as error:
            print(f"{error.code}: {error.read().decode()}", file=sys.stderr)
            if error.code < 500 and error.code not in (409, 429):
                # 400 and 413: the request is wrong. 401: the key is. 402: there are not enough credits.
                sys.exit(1)
            pause += int(error.headers.get("Retry-After", "0"))
        except json.JSONDecodeError:
            print("the answer was cut off", file=sys.stderr)
        except (OSError, HTTPException) as error:
            print(error, file=sys.stderr)
        time.sleep(pause)
    sys.exit("The service does not answer: try again later, with the addresses that have no result.")


addresses = (line.strip() for line in sys.stdin)
while chunk := list(islice(addresses, PER_REQUEST)):
    for result in verify(chunk):
        print(result["email"], result["status"], result["score"], result["reason"] or "-", flush=True)
