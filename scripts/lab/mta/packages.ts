import { accessSync, constants } from 'node:fs';
import { fileURLToPath } from 'node:url';

// What the suite on real servers needs from Debian. The packages of mail servers exclude each other, so install.sh
// installs Postfix and only unpacks Exim.

const EXIM_PLACES = ['/usr/local/lib/rcpt-exim/usr/sbin/exim4', '/usr/sbin/exim4'];

export type Programs = {
  readonly postfix: string;
  readonly postfixMaster: string;
  readonly exim: string;
  readonly openssl: string;
};

export type Installed =
  | { readonly kind: 'ready'; readonly programs: Programs }
  | { readonly kind: 'missing'; readonly why: string };

/** Looks for the servers; `why` is one line that says what is missing and how to get it. */
export function findPrograms(): Installed {
  const missing: string[] = [];
  const need = (name: string, ...places: string[]): string => {
    const place = places.find(isExecutable);
    if (place === undefined) missing.push(name);
    return place ?? '';
  };
  const programs: Programs = {
    postfix: need('postfix', '/usr/sbin/postfix'),
    postfixMaster: need('postfix', '/usr/lib/postfix/sbin/master'),
    exim: need('exim4', ...EXIM_PLACES),
    openssl: need('openssl', '/usr/bin/openssl'),
  };
  if (process.getuid?.() !== 0) missing.push('root (the servers change users)');
  if (missing.length === 0) return { kind: 'ready', programs };
  const how = fileURLToPath(new URL('install.sh', import.meta.url));
  return { kind: 'missing', why: `${[...new Set(missing)].join(', ')} (on Debian 12, as root: ${how})` };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
