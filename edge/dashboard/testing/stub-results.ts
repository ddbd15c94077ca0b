import type { Evidence } from '../../../schema/evidence.ts';
import { parseAddress } from '../../../schema/address.ts';
import { judge } from '../../../schema/verdict.ts';
import { type VerificationResult, notAnAddress } from '../../../schema/words/result.ts';

// What the stub answers: the local part says what happens, and the service's own judge makes the result of it.

const SIGNALS = { disposable: false, free: false, role: false, typoOf: null } as const;
const KNOWN = { mx: ['mx.example.test'], mxFound: true, signals: SIGNALS };
const reply = (code: number, enhanced: string | null) => ({ code, enhanced });

const EXISTS: Evidence = {
  ...KNOWN,
  outcome: { kind: 'accepted', reply: reply(250, null), madeUp: { kind: 'refused' } },
};
const OUTCOMES: Readonly<Record<string, Evidence>> = {
  ok: EXISTS,
  info: { ...EXISTS, signals: { ...SIGNALS, role: true } },
  all: { ...KNOWN, outcome: { kind: 'accepted', reply: reply(250, null), madeUp: { kind: 'accepted' } } },
  typo: { ...EXISTS, signals: { ...SIGNALS, typoOf: 'gmail.com' } },
  nobody: { ...KNOWN, outcome: { kind: 'no_such_mailbox', reply: reply(550, '5.1.1') } },
  blocked: { ...KNOWN, outcome: { kind: 'policy_rejected', reply: reply(554, '5.7.1') } },
  later: {
    ...KNOWN,
    outcome: { kind: 'rcpt_deferred', reply: reply(450, '4.2.0'), deferral: { cause: 'greylisting', askedS: 60 } },
  },
};

const WORDS = Object.keys(OUTCOMES);

/** `nobody-12@…` is like `nobody@…`; any other name is one that exists. */
export function resultOf(email: string): VerificationResult {
  const address = parseAddress(email);
  if (address === null) return notAnAddress(email);
  const word = WORDS.find((known) => address.local === known || address.local.startsWith(`${known}-`)) ?? 'ok';
  return judge({ email: email.trim().toLowerCase(), local: address.local }, OUTCOMES[word] ?? EXISTS);
}
