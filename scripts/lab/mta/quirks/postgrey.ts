import { postfixWith } from './postfix-with.ts';

const PROGRAM = '/usr/sbin/postgrey';
const PORT = 10_023;

/** Postfix with postgrey: client, sender and recipient together are let through some seconds after their first time. */
export const postgrey = postfixWith({
  name: 'postgrey',
  programs: [PROGRAM],
  options: ({ ip }) => ({
    smtpd_recipient_restrictions: `reject_unauth_destination, check_policy_service inet:${ip}:${PORT}`,
  }),
  greylists: true,
  before: ({ ip, folder }) => [
    {
      run: [
        PROGRAM,
        `--inet=${ip}:${PORT}`,
        `--dbdir=${folder}/data`,
        '--user=postfix',
        '--group=postfix',
        '--delay=3',
        '--auto-whitelist-clients=0',
      ],
      port: PORT,
    },
  ],
  batches: { 20: 16 },
});
