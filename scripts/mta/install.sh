#!/bin/sh
# Debian 12's mail and name servers for the tests on real servers (*.real.test.ts). Run as root.
#
# No server of the system is started or configured: the tests run their own, in a folder of their own. The packages of
# Exim and Postfix exclude each other, so Exim's is only unpacked, beside the system.
set -eu
export DEBIAN_FRONTEND=noninteractive
EXIM=/usr/local/lib/rcpt-exim
POLICY=/usr/sbin/policy-rc.d

temp=$(mktemp -d)
made_policy=
cleanup() {
  rm -rf "$temp"
  [ -z "$made_policy" ] || rm -f "$POLICY"
}
trap cleanup EXIT

# Debian's own switch against services that start as they are installed.
if [ ! -e "$POLICY" ]; then
  made_policy=yes
  printf '#!/bin/sh\nexit 101\n' > "$POLICY"
  chmod 755 "$POLICY"
fi

apt-get update -qq
# The libraries at the end are Exim's.
apt-get install -y -qq --no-install-recommends postfix postgrey nsd openssl adduser \
  libdb5.3 libgnutls-dane0 libidn12 libidn2-0 libnsl2 libpcre2-8-0 > "$temp/log" 2>&1 || { cat "$temp/log"; exit 1; }

if [ ! -x "$EXIM/usr/sbin/exim4" ]; then
  chmod 755 "$temp"
  (cd "$temp" && apt-get download -qq exim4-daemon-light 2> /dev/null)
  mkdir -p "$EXIM"
  dpkg -x "$temp"/exim4-daemon-light_*.deb "$EXIM"
fi
# The user that Exim's binary was built for.
id Debian-exim > /dev/null 2>&1 ||
  adduser --system --group --quiet --no-create-home --home /var/spool/exim4 --force-badname Debian-exim
