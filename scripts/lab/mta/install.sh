#!/bin/sh
# Debian 12's mail servers for the tests on real servers (*.real.test.ts). Run as root.
#
# No server of the system is started or configured: the tests run their own, in a folder of their own. Debian's mail
# servers exclude each other, so only Postfix is installed (chasquid may be beside it); Exim, Sendmail and Courier are unpacked
# beside the system, and configured with their folders.
# Arguments: further packages, which are installed in the same run of apt-get.
set -eu
export DEBIAN_FRONTEND=noninteractive
EXIM=/usr/local/lib/rcpt-exim
SENDMAIL=/usr/local/lib/rcpt-sendmail
COURIER=/usr/local/lib/rcpt-courier
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
# The libraries are Exim's and Sendmail's; Sendmail's configuration is written in m4.
apt-get install -y -qq --no-install-recommends postfix postgrey chasquid python3-aiosmtpd python3-twisted adduser \
  libdb5.3 libgnutls-dane0 libidn12 libidn2-0 libldap-2.5-0 liblockfile1 libnsl2 libpcre2-8-0 libsasl2-2 libwrap0 m4 \
  "$@" > "$temp/log" 2>&1 || { cat "$temp/log"; exit 1; }

# unpack FOLDER PACKAGE…
unpack() {
  folder=$1
  shift
  debs=$(mktemp -d "$temp/debs.XXXXXX")
  chmod 755 "$temp" "$debs"
  (cd "$debs" && apt-get download -qq "$@" 2> /dev/null)
  mkdir -p "$folder"
  for deb in "$debs"/*.deb; do dpkg -x "$deb" "$folder"; done
}

[ -x "$EXIM/usr/sbin/exim4" ] || unpack "$EXIM" exim4-daemon-light
[ -x "$SENDMAIL/usr/libexec/sendmail/sendmail" ] || unpack "$SENDMAIL" sendmail-bin sendmail-cf
if [ ! -x "$COURIER/usr/sbin/couriertcpd" ]; then
  unpack "$COURIER" courier-base courier-mta courier-authlib courier-authdaemon libcourier-unicode4 libgdbm6 libidn12 \
    libltdl7 libperl5.36 libgamin0
  # What Debian's scripts would do as they install it.
  mkdir -p "$COURIER/var/lib/courier"
  chmod 4755 "$COURIER/usr/lib/courier/courier/submit"
  ln -sf ../lib/courier/makedat "$COURIER/usr/bin/makedat"
fi
# The user that Exim's binary was built for.
id Debian-exim > /dev/null 2>&1 ||
  adduser --system --group --quiet --no-create-home --home /var/spool/exim4 --force-badname Debian-exim
