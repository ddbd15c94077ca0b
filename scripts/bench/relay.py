#!/usr/bin/env python3
"""Two TUN devices with a wire between them that takes its time.

usage: relay.py DEVICE DEVICE DELAY_MS

Each IP packet that comes out of one device goes into the other DELAY_MS later, in order. Prints "ready" when both
devices exist; whoever started it may then move them into network namespaces. Ends, and the devices with it, when its
standard input does.
"""

import collections
import fcntl
import os
import select
import struct
import sys
import time

TUNSETIFF = 0x400454CA
IFF_TUN = 0x0001
IFF_NO_PI = 0x1000
PACKET_MAX = 65536
# What a wire may hold before it drops, as a real one does.
IN_FLIGHT_MAX = 20_000


def open_tun(name):
    fd = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(fd, TUNSETIFF, struct.pack("16sH", name.encode(), IFF_TUN | IFF_NO_PI))
    return fd


def read_all(fd, into, delay):
    while len(into) < IN_FLIGHT_MAX:
        try:
            packet = os.read(fd, PACKET_MAX)
        except BlockingIOError:
            return
        except OSError:
            # The device is not up yet.
            return
        into.append((time.monotonic() + delay, packet))


def deliver_due(queue, fd):
    """Returns the seconds until the next packet is due, None when there is none."""
    while queue:
        left = queue[0][0] - time.monotonic()
        if left > 0:
            return left
        try:
            os.write(fd, queue.popleft()[1])
        except OSError:
            # The device is down or full: the packet is lost, as on any wire.
            pass
    return None


def main():
    left, right, delay_ms = sys.argv[1:]
    delay = float(delay_ms) / 1000
    ends = [open_tun(left), open_tun(right)]
    # queues[i] holds what is under way to ends[i].
    queues = [collections.deque(), collections.deque()]
    print("ready", flush=True)
    while True:
        waits = [deliver_due(queues[i], ends[i]) for i in (0, 1)]
        timeout = min((wait for wait in waits if wait is not None), default=None)
        readable, _, _ = select.select([sys.stdin, *ends], [], [], timeout)
        for i in (0, 1):
            if ends[i] in readable:
                read_all(ends[i], queues[1 - i], delay)
        if sys.stdin in readable and not os.read(sys.stdin.fileno(), 1):
            return


main()
