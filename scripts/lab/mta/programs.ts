/** Servers of Debian that several files run. Their packages exclude each other: `install.sh` only unpacks Exim. */
export const PROGRAMS = {
  postfix: '/usr/sbin/postfix',
  postfixMaster: '/usr/lib/postfix/sbin/master',
  exim: '/usr/local/lib/rcpt-exim/usr/sbin/exim4',
} as const;
