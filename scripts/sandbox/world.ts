import { sandboxEvidence } from '../../edge/sandbox/sandbox.ts';
import { sortEntries } from '../../edge/verify/entries.ts';
import { judgeSlot } from '../../edge/verify/judge.ts';
import { isRefunded } from '../../schema/outcomes.ts';
import type { VerificationResult } from '../../schema/words/result.ts';

// The addresses of the sandbox, at least one for each reason. The service must answer what the recorded evidence of each comes
// to: tests post every row through a running service and compare. What a verdict changes shows in the README's table.

export type Row = {
  readonly address: string;
  /** What the world does to it, for the README. */
  readonly shows: string;
  /** About how long the answer takes; 0 is under a second. */
  readonly takesS: number;
  /** The whole result that the service must give. */
  readonly expected: VerificationResult;
  /** Whether the credit goes back (or was never charged). */
  readonly free: boolean;
};

const ADDRESSES: readonly (readonly [address: string, shows: string, takesS?: number])[] = [
  ['ok@deliverable.test', 'an existing mailbox'],
  ['anyone@catchall.test', 'a server that accepts everyone'],
  ['ok@provider-accepts-all.test', 'a provider that accepts everyone and refuses after DATA'],
  ['info@deliverable.test', 'an existing role mailbox'],
  ['ok@sandbox.mailinator.com', 'an existing mailbox of a disposable domain'],
  ['ok@gmail.con', 'an existing mailbox of a domain that looks like a typo'],
  ['ü@deliverable.test', 'a mailbox that needs SMTPUTF8, which is offered'],
  ['ok@bücher.test', 'an internationalised domain'],
  ['ok@backup-mx.test', 'the first MX is down, the second answers'],
  ['ok@implicit-mx.test', "no MX: the domain's own address serves"],
  ['ok@learns-greylisted.test', 'accepted; the made-up mailbox is greylisted'],
  ['ok@learns-blocked.test', 'accepted; the made-up mailbox is refused for policy'],
  ['ok@learns-silence.test', 'accepted; no reply about the made-up mailbox, twice', 60],
  ['ok@learns-reset.test', 'accepted; connection lost at the made-up mailbox'],
  ['ok@learns-garbage.test', 'accepted; garbage about the made-up mailbox'],
  ['ok@learns-nothing.test', 'accepted; a refusal of the made-up mailbox that explains nothing'],
  ['nobody@deliverable.test', 'no such mailbox'],
  ['disabled@deliverable.test', 'a disabled mailbox'],
  ['moved@deliverable.test', 'a mailbox that moved away'],
  ['anyone@takes-no-mail.test', 'a domain that takes no mail (556)'],
  ['anyone@relay-denied.test', 'a server that does not serve the domain'],
  ['ü@ascii-only.test', 'a mailbox that needs SMTPUTF8, which is not offered'],
  ['full@deliverable.test', 'over quota, 452'],
  ['overquota@deliverable.test', 'over quota, 552'],
  ['greylisted@deliverable.test', 'greylisted, with a wait in words'],
  ['busy@deliverable.test', 'a temporary failure at RCPT'],
  ['anyone@closing.test', '421 at RCPT'],
  ['anyone@greeting-421.test', 'a busy server: 421 instead of a greeting'],
  ['anyone@mail-deferred.test', '451 to MAIL FROM'],
  ['anyone@blocked.test', 'the probing host is on a block list'],
  ['anyone@greeting-554.test', '554 instead of a greeting'],
  ['anyone@hangs-up.test', 'closed before the greeting'],
  ['anyone@resets.test', 'reset before the greeting'],
  ['anyone@silent.test', 'connected, and no greeting in 30 s', 30],
  ['anyone@implicit-silent.test', "no MX, and the domain's own address does not greet in 30 s", 30],
  ['anyone@ehlo-rejected.test', 'EHLO refused'],
  ['anyone@mail-rejected.test', 'MAIL FROM refused'],
  ['anyone@tls-demanded.test', 'STARTTLS demanded and not offered'],
  ['two words@deliverable.test', 'not an address'],
  ['anyone@nxdomain.test', 'a domain that does not exist'],
  ['anyone@null-mx.test', 'a null MX: no mail wanted'],
  ['anyone@no-records.test', 'neither MX nor address'],
  ['anyone@[192.0.2.1]', 'an address literal'],
  ['anyone@implicit-closed.test', "no MX, and the domain's own address refuses the connection"],
  ['anyone@servfail.test', 'the MX lookup fails (SERVFAIL)'],
  ['anyone@dns-refused.test', 'the MX lookup is refused'],
  ['anyone@dns-silent.test', 'the MX lookup gets no answer', 5],
  ['anyone@mx-servfail.test', "the MX host's addresses cannot be looked up"],
  ['anyone@mx-missing.test', 'no MX host exists'],
  ['anyone@private-mx.test', 'the MX has a private address'],
  ['anyone@blocks-probe.test', 'a provider that blocks probing: not dialled'],
  ['anyone@refused.test', 'connection refused'],
  ['anyone@lost.test', 'connection lost at RCPT, twice'],
  ['anyone@slow-mail.test', 'no reply in 30 s', 30],
  ['anyone@garbage.test', 'a greeting that is not SMTP'],
  ['anyone@endless.test', 'an endless line to EHLO'],
  ['anyone@babbles.test', 'garbage to RCPT'],
  ['anyone@unexpected.test', '554 that names neither mailbox nor prober'],
  ['anyone@code-354.test', '354 to RCPT'],
];

export const WORLD: readonly Row[] = ADDRESSES.map(([address, shows, takesS = 0]) => {
  const { slots, addresses } = sortEntries([address]);
  const known = new Map(addresses.map(({ index, local, domain }) => [index, sandboxEvidence(local, domain)]));
  const [expected] = slots.map((slot) => judgeSlot(slot, known));
  if (expected === undefined || 'error' in expected) throw new Error(`${address} is no entry`);
  return { address, shows, takesS, expected, free: [...known.values()].every(({ outcome }) => isRefunded(outcome)) };
});
