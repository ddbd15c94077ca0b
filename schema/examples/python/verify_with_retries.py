"""Verifies some addresses and retries after any failure: python3 verify_with_retries.py a@example.com b@example.com

RCPT_URL and RCPT_API_KEY say where, and for whom.
"""
import json
import os
import random
import sys
import time
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.request import Request, urlopen

ATTEMPTS = 6


def verify(emails):
    request = Request(
        os.environ["RCPT_URL"] + "/api/v1/verify",
        data=json.dumps({"emails": emails}).encode(),
        headers={
            "Authorization": "Bearer " + os.environ["RCPT_API_KEY"],
            "Content-Type": "application/json",
        },
    )
    for attempt in range(ATTEMPTS):
        # Full jitter, so that many callers do not come back at once.
        pause = random.uniform(0, min(30, 0.5 * 2**attempt))
        try:
            with urlopen(request, timeout=100) as response:
                return json.load(response)
        except HTTPError as error:
            if error.code == 429:
                pause += int(error.headers.get("Retry-After", "1"))
            elif error.code < 500:
                # 400 and 413: the request is wrong. 401: the key is. 402: there are not enough credits.
                raise SystemExit(f"{error.code}: {error.read().decode()}")
        except (OSError, HTTPException) as error:
            # A request that breaks off before its answer costs nothing.
            print(error, file=sys.stderr)
        time.sleep(pause)
    raise SystemExit("The service does not answer: try again later.")


for result in verify(sys.argv[1:]):
    print(result["email"], result["status"], result["score"], result["reason"] or "-")
