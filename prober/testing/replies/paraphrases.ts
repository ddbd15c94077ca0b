import * as languages from './paraphrases/languages.ts';
import * as a from './paraphrases/set-a.ts';
import * as b from './paraphrases/set-b.ts';
import * as c from './paraphrases/set-c.ts';
import * as d from './paraphrases/set-d.ts';
import * as e from './paraphrases/set-e.ts';
import * as f from './paraphrases/set-f.ts';
import * as h from './paraphrases/set-h.ts';
import * as i from './paraphrases/set-i.ts';
import * as j from './paraphrases/set-j.ts';

/** What mail servers say, in words of our own, by what it means at RCPT. */
export const PARAPHRASES = {
  no_such_mailbox: [a, b, c, d, e, h, i, j, languages].flatMap(({ NO_SUCH_MAILBOX }) => [...NO_SUCH_MAILBOX]),
  mailbox_full: [a, b, c, d, e, h, i, j, languages].flatMap(({ MAILBOX_FULL }) => [...MAILBOX_FULL]),
  policy_rejected: [a, b, c, d, e, f, h, i, j, languages].flatMap(({ POLICY_REJECTED }) => [...POLICY_REJECTED]),
  unexpected: [a, b, c, d, e, f, h, i, j, languages].flatMap(({ UNEXPLAINED }) => [...UNEXPLAINED]),
  deferred: [...a.DEFERRED],
} as const;
