#!/bin/sh
# Installs the version whose folder this script is in. Run as root on the probe host; may be run again. Starts nothing.
set -eu
here=$(dirname "$(readlink -f "$0")")
version=$(basename "$here" | sed 's/^rcpt-prober-//')
root=${RCPT_ROOT:-}

install -d "$root/opt/rcpt-prober" "$root/etc/systemd/system" "$root/etc/sysctl.d" "$root/usr/local/bin"
install -d -m 0700 "$root/etc/rcpt"
# Two at once take turns.
exec 9< "$root/opt/rcpt-prober"
flock 9
install -m 0644 "$here/rcpt-prober@.service" "$root/etc/systemd/system/"
install -m 0644 "$here/sysctl.conf" "$root/etc/sysctl.d/60-rcpt.conf"
install -m 0755 "$here/rcpt-roll" "$root/usr/local/bin/rcpt-roll"
# The command is of the version that runs: rcpt-roll moves it.
[ -e "$root/usr/local/bin/rcpt-prober" ] || ln -sfn "../../../opt/rcpt-prober/$version/rcpt-prober" "$root/usr/local/bin/rcpt-prober"
[ -e "$root/etc/rcpt/rcpt-prober.env" ] || install -m 0600 "$here/rcpt-prober.env" "$root/etc/rcpt/"
# Last: the folder says that the version is installed, whatever an installation before it was broken off at.
if [ "$here" != "$root/opt/rcpt-prober/$version" ]; then
  # What a full disk leaves of it goes again.
  trap 'rm -rf "$root/opt/rcpt-prober/$version.new"' EXIT
  rm -rf "$root/opt/rcpt-prober/$version.new"
  cp -r "$here" "$root/opt/rcpt-prober/$version.new"
  rm -rf "$root/opt/rcpt-prober/$version"
  mv "$root/opt/rcpt-prober/$version.new" "$root/opt/rcpt-prober/$version"
fi
if [ -z "$root" ] && [ -d /run/systemd/system ]; then
  systemctl daemon-reload
  # In a container the machine's owner sets these.
  sysctl --quiet --load /etc/sysctl.d/60-rcpt.conf || echo "sysctl is missing (apt-get install procps) or denied here: set what is in /etc/sysctl.d/60-rcpt.conf, in a container on the machine itself, or the host runs out of local ports sooner" >&2
fi
echo "rcpt-prober $version is installed: set /etc/rcpt/rcpt-prober.env, rcpt-prober join URL INVITATION, then rcpt-roll $version"
