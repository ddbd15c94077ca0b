import type { Status } from './verdicts.ts';

/**
 * Addresses of the sandbox to try, one for each thing that a caller should be ready for. A test key answers for them, and
 * so does the pages' sample, which knows no others.
 */
export const SANDBOX: ReadonlyArray<{ readonly address: string; readonly shows: string; readonly status: Status }> = [
  { address: 'ok@deliverable.test', shows: 'a mailbox that exists', status: 'valid' },
  { address: 'info@deliverable.test', shows: 'a role rather than a person', status: 'risky' },
  { address: 'anyone@catchall.test', shows: 'a domain that accepts every address', status: 'risky' },
  { address: 'full@deliverable.test', shows: 'a mailbox that is full', status: 'risky' },
  { address: 'anyone@blocks-probe.test', shows: 'a provider that cannot be checked', status: 'risky' },
  { address: 'ok@gmail.con', shows: 'a likely typing mistake', status: 'valid' },
  { address: 'nobody@deliverable.test', shows: 'a mailbox that does not exist', status: 'invalid' },
  { address: 'anyone@nxdomain.test', shows: 'a domain that does not exist', status: 'invalid' },
  { address: 'two words@deliverable.test', shows: 'something that is not an address', status: 'invalid' },
  { address: 'greylisted@deliverable.test', shows: 'an answer put off, with a wait', status: 'unknown' },
  { address: 'anyone@blocked.test', shows: 'a server that refuses us; the credit is returned', status: 'unknown' },
  { address: 'anyone@refused.test', shows: 'a server that cannot be reached', status: 'unknown' },
];
