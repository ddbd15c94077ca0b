#!/usr/bin/env python3
"""Joins two network namespaces by a link that delays every IP packet, in both directions.

Usage: delay-link.py NAMESPACE_A NAMESPACE_B DELAY_MS

One TUN device in each namespace (10.77.0.1 in A, 10.77.0.2 in B and the rest of 10.77.0.0/16 routed to it), one queue
per direction between them. It stands in for `tc netem`, which not
every kernel has: the TCP handshake is delayed like everything else, which a TCP proxy that accepts at once would hide.
Prints "ready" and runs until its standard input ends. Needs root, for the namespaces must exist and belong to the caller.
"""
import collections
import fcntl
import os
import select
import struct
import subprocess
import sys
import time

TUNSETIFF = 0x400454CA
IFF_TUN = 0x0001
IFF_NO_PI = 0x1000
MTU = 1500


def open_tun(name):
    fd = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(fd, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TUN | IFF_NO_PI))
    return fd


def ip(*words):
    subprocess.run(["ip", *words], check=True)


def place(name, namespace, address, routes):
    ip("link", "set", name, "netns", namespace)
    inside = ["netns", "exec", namespace, "ip"]
    ip(*inside, "link", "set", "lo", "up")
    ip(*inside, "addr", "add", address, "dev", name)
    ip(*inside, "link", "set", name, "up", "txqueuelen", "10000")
    for route in routes:
        ip(*inside, "route", "add", route, "dev", name)


def relay(fds, delay_s, end_fd):
    queues = {fd: collections.deque() for fd in fds}
    other = {fds[0]: fds[1], fds[1]: fds[0]}
    while True:
        heads = [queue[0][0] for queue in queues.values() if queue]
        wait = max(0.0, min(heads) - time.monotonic()) if heads else None
        readable, _, _ = select.select([*fds, end_fd], [], [], wait)
        if end_fd in readable:
            return
        for fd in fds:
            if fd in readable:
                receive(fd, queues[fd], delay_s)
        now = time.monotonic()
        for fd, queue in queues.items():
            while queue and queue[0][0] <= now:
                try:
                    os.write(other[fd], queue.popleft()[1])
                except OSError:
                    pass  # a full or closed device drops packets, as a link does


def receive(fd, queue, delay_s):
    due = time.monotonic() + delay_s
    for _ in range(256):
        try:
            queue.append((due, os.read(fd, MTU + 64)))
        except BlockingIOError:
            return


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    namespace_a, namespace_b, delay_ms = sys.argv[1], sys.argv[2], float(sys.argv[3])
    names = [f"dl{os.getpid() % 100000}a", f"dl{os.getpid() % 100000}b"]
    fds = [open_tun(name) for name in names]
    place(names[0], namespace_a, "10.77.0.1/32", ["10.77.0.0/16"])
    place(names[1], namespace_b, "10.77.0.2/16", [])
    print("ready", flush=True)
    relay(fds, delay_ms / 1000, sys.stdin.fileno())


main()
