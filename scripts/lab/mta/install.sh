#!/bin/sh
# Debian 12's mail and name servers for the tests on real servers (*.real.test.ts). Run as root.
#
# No server of the system is started or configured: the tests run their own, in a folder of their own. Debian's mail
# servers exclude each other, so only Postfix is installed; the others are unpacked beside the system. Exim is told where
# its files are. Courier and Sendmail have those paths built in, so each gets a root of its own for chroot.
# Arguments: further packages, which are installed in the same run of apt-get.
set -eu
export DEBIAN_FRONTEND=noninteractive
EXIM=/usr/local/lib/rcpt-exim
COURIER=/usr/local/lib/rcpt-courier
SENDMAIL=/usr/local/lib/rcpt-sendmail
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
# The libraries are Exim's, Courier's and Sendmail's, a line each.
apt-get install -y -qq --no-install-recommends postfix postgrey nsd openssl adduser \
  libdb5.3 libgnutls-dane0 libidn12 libidn2-0 libnsl2 libpcre2-8-0 \
  libcourier-unicode4 libgdbm6 libltdl7 libpam0g libstdc++6 \
  libldap-2.5-0 liblockfile1 libsasl2-2 libwrap0 "$@" > "$temp/log" 2>&1 || { cat "$temp/log"; exit 1; }

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

# Adds a shell and every library that the programs in a folder want from the system. Scripts have none.
make_root() {
  files=$(find "$1/usr" -type f \( -perm -u+x -o -name '*.so*' \))
  for file in $files /bin/sh; do LD_LIBRARY_PATH="$1/usr/lib" ldd "$file" 2> /dev/null || true; done |
    grep -o '/[^ ]*' | sort -u | while read -r library; do
      case $library in "$1"/*) continue ;; esac
      mkdir -p "$1$(dirname "$library")"
      cp -L "$library" "$1$library"
    done
  mkdir -p "$1/bin" "$1/tmp"
  cp -L /bin/sh "$1/bin/sh"
}

# unpack_root FOLDER PACKAGE…: whole or not at all, so that it may be run again after it was cut off.
unpack_root() {
  [ ! -d "$1" ] || return 0
  root=$1
  shift
  rm -rf "$root.new"
  unpack "$root.new" "$@"
  make_root "$root.new"
  mv "$root.new" "$root"
}

[ -x "$EXIM/usr/sbin/exim4" ] || unpack "$EXIM" exim4-daemon-light
# The user that Exim's binary was built for.
id Debian-exim > /dev/null 2>&1 ||
  adduser --system --group --quiet --no-create-home --home /var/spool/exim4 --force-badname Debian-exim

unpack_root "$COURIER" courier-base courier-mta courier-authlib courier-authlib-userdb
# m4 writes its configuration.
unpack_root "$SENDMAIL" sendmail-base sendmail-bin sendmail-cf m4 libsigsegv2
