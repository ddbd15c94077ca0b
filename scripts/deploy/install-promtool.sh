#!/bin/sh
# Debian 12's promtool, for the test of the alert rules. Run as root. Prometheus itself is neither installed nor started.
set -eu
folder=/usr/local/lib/rcpt-promtool
[ ! -x "$folder/usr/bin/promtool" ] || exit 0
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
chmod 755 "$temp"
(cd "$temp" && apt-get download -qq prometheus 2> /dev/null)
mkdir -p "$folder"
dpkg -x "$temp"/prometheus_*.deb "$temp/x"
install -D -m 0755 "$temp/x/usr/bin/promtool" "$folder/usr/bin/promtool"
