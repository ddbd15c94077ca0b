#!/bin/sh
# Runs workerd in a session of its own, so that a terminal's Ctrl-C reaches only the process that started it, which
# lets what is under way finish. `exec` twice: the process id stays the one that Miniflare knows.
exec setsid "$WORKERD_APART" "$@"
