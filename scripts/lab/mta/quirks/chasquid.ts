import type { Quirk } from '../quirk.ts';

/** Answers MAIL with 250 2.1.5, and ends a session with 421 at its third error. */
export const chasquid: Quirk = {
  name: 'chasquid',
  programs: ['/usr/bin/chasquid'],
  files: ({ ip, port, folder, host, domain }) => ({
    'chasquid.conf': `
hostname: "${host}"
smtp_address: "${ip}:${port}"
data_dir: "${folder}/data"
mail_log_path: "<stdout>"
`,
    [`domains/${domain}/aliases`]: Array.from({ length: 250 }, (_, i) => `u${i}: anna@elsewhere.test\n`).join(''),
  }),
  prepare: ({ folder, host, key, certificate }) => [
    ['mkdir', '-p', `${folder}/data`, `${folder}/certs/${host}`],
    ['cp', certificate, `${folder}/certs/${host}/fullchain.pem`],
    ['cp', key, `${folder}/certs/${host}/privkey.pem`],
  ],
  daemons: ({ folder }) => [{ run: ['/usr/bin/chasquid', '-config_dir', folder, '-v', '1'] }],
  connected: /Connected, mode/g,
  batches: { 10: 4, 50: 16 },
};
