"""Verifies addresses from standard input, one a line, and prints each result as it is known.

    python3 verify_list.py < list.txt

RCPT_URL and RCPT_API_KEY say where, and for whom.
"""
import json
import os
import sys
from itertools import islice
from urllib.error import HTTPError
from urllib.request import Request, urlopen

PER_REQUEST = 500


def verify(emails):
    """Yields the results in the order in which they are known; each has the "index" of its address."""
    request = Request(
        os.environ["RCPT_URL"] + "/api/v1/verify",
        data=json.dumps({"emails": emails}).encode(),
        headers={
            "Authorization": "Bearer " + os.environ["RCPT_API_KEY"],
            "Content-Type": "application/json",
            "Accept": "application/x-ndjson",
        },
    )
    with urlopen(request, timeout=100) as response:
        for line in response:
            element = json.loads(line)
            if element.get("done"):
                print(f"charged {element['charged']}, returned {element['returned']}", file=sys.stderr)
                return
            yield element
    # What the service had not written costs nothing: ask again for the addresses that are missing.
    raise EOFError("the answer was cut off")


addresses = (line.strip() for line in sys.stdin)
while chunk := list(islice(addresses, PER_REQUEST)):
    try:
        for result in verify(chunk):
            print(result["email"], result["status"], result["score"], result["reason"] or "-", flush=True)
    except HTTPError as refusal:
        sys.exit(f"{refusal.code}: {refusal.read().decode()}")
