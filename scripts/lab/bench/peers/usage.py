#!/usr/bin/env python3
"""Runs a command, and says on a last line of standard output what it took: {"wallMs", "cpuMs", "rssMiB", "exitCode"}.

Usage: usage.py COMMAND ...

Node does not tell what a process that it started has used. What this holds itself, 10 MiB, is the least it can see.
"""
import json
import os
import sys
import time

started = time.monotonic()
pid = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ)
_, status, used = os.wait4(pid, 0)
print(
    json.dumps(
        {
            "wallMs": (time.monotonic() - started) * 1000,
            "cpuMs": (used.ru_utime + used.ru_stime) * 1000,
            "rssMiB": used.ru_maxrss / 1024,
            "exitCode": os.waitstatus_to_exitcode(status),
        }
    )
)
