#!/bin/sh
# Runs workerd deaf to what a terminal sends to its whole foreground job (Ctrl-C, Ctrl-\, its end): the process that started it
# hears that, and lets what is under way finish. In a session of its own, where the system has `setsid`, it is not in that job
# at all. It says its process id, which `exec` keeps.
trap '' INT QUIT HUP
echo $$ > "$WORKERD_PID_FILE"
command -v setsid > /dev/null && exec setsid "$WORKERD" "$@"
exec "$WORKERD" "$@"
