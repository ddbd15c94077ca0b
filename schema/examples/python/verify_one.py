"""Verifies one address: python3 verify_one.py someone@example.com

RCPT_URL and RCPT_API_KEY say where, and for whom.
"""
import json
import os
import sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen

request = Request(
    os.environ["RCPT_URL"] + "/api/v1/verify",
    data=json.dumps({"emails": [sys.argv[1]]}).encode(),
    headers={
        "Authorization": "Bearer " + os.environ["RCPT_API_KEY"],
        "Content-Type": "application/json",
    },
)
# The service takes 90 s at most.
try:
    with urlopen(request, timeout=100) as response:
        [result] = json.load(response)
except HTTPError as refusal:
    sys.exit(f"{refusal.code}: {refusal.read().decode()}")
print(result["email"], result["status"], result["score"], result["reason"] or "-")
