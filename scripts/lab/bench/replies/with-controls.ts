import type { Outcome } from '../../../../schema/evidence.ts';
import { classify } from '../../../../prober/engine/meaning/classify.ts';
import { MailWorld } from '../../../../prober/testing/mail-world.ts';
import { ASKED_AT, type Label, type Labelled, RECIPIENT } from './labelled.ts';

// A labelled reply as a batch hears it in which somebody else of the domain is asked about.

const ADDRESS = `${RECIPIENT.local}@${RECIPIENT.domain}`;
const LIVING = `somebody@${RECIPIENT.domain}`;
const OK = '250 2.1.5 Ok';
const NO_SUCH = '550 5.1.1 No such user';

/**
 * Puts a reply to RCPT behind a server that treats others as the label says: what is said of a missing mailbox meets every made-up
 * one, what is said of a full one meets it alone, and what is said of us meets everybody.
 * @returns the label of the evidence; null: it is no reply to RCPT, or the server was not asked
 */
export async function judgeWithControls(labelled: Labelled): Promise<Label | null> {
  if (ASKED_AT[labelled.stage] !== 'rcpt') return null;
  const world = new MailWorld({}, 0, classify);
  world.domain(RECIPIENT.domain, { rcpt: (mailbox) => `${replyTo(mailbox, labelled)}\r\n` });
  const [, outcome] = await world.outcomes([LIVING, ADDRESS]);
  return outcome === undefined ? null : labelOf(outcome);
}

function replyTo(mailbox: string, { raw, expected }: Labelled): string {
  const isLiving = mailbox === LIVING;
  const said = raw.replaceAll(ADDRESS, mailbox).replaceAll(/\r?\n/g, '\r\n');
  if (mailbox === ADDRESS) return said;
  switch (expected) {
    case 'no_such_mailbox':
      return isLiving ? OK : said;
    case 'mailbox_full':
    case 'accepted':
      return isLiving ? OK : NO_SUCH;
    case 'greylisting':
    case 'deferred':
    case 'policy_rejected':
    case 'unexpected':
      return said;
  }
}

const LABEL_OF: Readonly<Partial<Record<Outcome['kind'], Label>>> = {
  accepted: 'accepted',
  no_such_mailbox: 'no_such_mailbox',
  mailbox_full: 'mailbox_full',
  rcpt_deferred: 'deferred',
  policy_rejected: 'policy_rejected',
  unexpected_code: 'unexpected',
};

function labelOf(outcome: Outcome): Label | null {
  const label = LABEL_OF[outcome.kind] ?? null;
  const cause = 'deferral' in outcome ? outcome.deferral?.cause : undefined;
  return label === 'deferred' && cause === 'greylisting' ? cause : label;
}
