import type { InvalidEntry } from '../api.ts';
import type { Evidence } from '../evidence.ts';
import { judge } from '../verdict.ts';
import { type VerificationResult, notAnAddress } from '../words/result.ts';
import type { JsonObject } from './json.ts';

// One request and its answers. The addresses are the sandbox's of `npm start`, which gives these very answers.

const SIGNALS = { disposable: false, free: false, role: false, typoOf: null } as const;
const MX = { mx: ['mx.deliverable.test'], mxFound: true, signals: SIGNALS };
const ACCEPTED: Evidence = {
  ...MX,
  outcome: { kind: 'accepted', reply: { code: 250, enhanced: null }, madeUp: { kind: 'refused' } },
};
const GREYLISTED: Evidence = {
  ...MX,
  outcome: {
    kind: 'rcpt_deferred',
    reply: { code: 450, enhanced: '4.2.0' },
    deferral: { cause: 'greylisting', askedS: 420 },
  },
};

const results: readonly VerificationResult[] = [
  judge({ email: 'ok@deliverable.test', local: 'ok' }, ACCEPTED),
  judge({ email: 'greylisted@deliverable.test', local: 'greylisted' }, GREYLISTED),
  notAnAddress('no address'),
];
const placeholder = { email: 7, error: 'invalid' } as const satisfies InvalidEntry;
const elements = [...results, placeholder];

/** Example values of the document, each beside its schema. */
export const EXAMPLES = {
  request: { emails: ['OK@deliverable.test', 'greylisted@deliverable.test', 'no address', 7] },
  elements,
  lines: [...elements.map((element, index) => ({ index, ...element })), { done: true, charged: 2, returned: 0 }],
  formRequest: { key: `svc_formtest_${'0'.repeat(38)}`, email: 'nobody@deliverable.test', id: 'signup-7f3a', wait: 4 },
  formAnswer: { verdict: 'reject', reason: 'no_such_mailbox', did_you_mean: null },
  credits: { credits: 4200 },
  health: { problems: [], d1: true, hosts: 2, ready: 2, cronAgeS: 31 },
} as const satisfies JsonObject;
