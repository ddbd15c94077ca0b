#!/bin/sh
# Runs workerd deaf to what a terminal sends to its whole foreground job (Ctrl-C, Ctrl-\, its end): the process that started it
# hears that, and lets what is under way finish. It says its process id, which `exec` keeps.
trap '' INT QUIT HUP
echo $$ > "$WORKERD_PID_FILE"
exec "$WORKERD" "$@"
