import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PROGRAMS } from './programs.ts';

/** Makes a key and a certificate that nobody vouches for, as many MX hosts have one; returns their paths. */
export async function makeCertificate(folder: string, host: string) {
  const key = join(folder, 'tls.key');
  const certificate = join(folder, 'tls.pem');
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const files = ['-keyout', key, '-out', certificate];
  await promisify(execFile)(PROGRAMS.openssl, [
    'req',
    '-x509',
    ...curve,
    ...files,
    '-days',
    '2',
    '-subj',
    `/CN=${host}`,
  ]);
  return { key, certificate };
}
