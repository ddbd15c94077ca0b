import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import type { Classified } from '../../../../prober/engine/meaning/classify.ts';
import { MEANINGS } from '../../../../prober/engine/meaning/rules/meanings.ts';
import type { Recipient, Stage } from '../../../../prober/engine/ports/ports.ts';
import type { Reply } from '../../../../prober/engine/smtp/wire/reply.ts';
import { parseJson } from '../../../../schema/parse-json.ts';

export const LABELS = [
  'accepted',
  'no_such_mailbox',
  'mailbox_full',
  'greylisting',
  'deferred',
  'policy_rejected',
  'unexpected',
] as const;
export type Label = (typeof LABELS)[number];

const labelledSchema = z.object({
  raw: z.string().regex(/^[1-5]\d\d(?:[ -]|$)/),
  stage: z.enum(['banner', 'ehlo', 'starttls', 'mail', 'rcpt', 'data', 'unknown']),
  expected: z.enum(LABELS),
  also: z.array(z.enum(LABELS)),
});
export type Labelled = z.infer<typeof labelledSchema>;

/** `data` and an unknown stage are asked at RCPT: the hardest reading, where a reply can be called a dead mailbox. */
export const ASKED_AT = {
  banner: 'greeting',
  ehlo: 'ehlo',
  starttls: 'starttls',
  mail: 'mail',
  rcpt: 'rcpt',
  data: 'rcpt',
  unknown: 'rcpt',
} as const satisfies Record<Labelled['stage'], Stage>;

/** The recipient that stands in every labelled reply. */
export const RECIPIENT: Recipient = { local: 'user', domain: 'example.com' };

/** Labelled replies of a file, one JSON object a line. Throws an Error that names the line where one is none. */
export async function readLabelled(file: string): Promise<readonly Labelled[]> {
  const lines = (await readFile(file, 'utf8')).split('\n');
  const replies = lines.flatMap((line, i) => {
    if (line.trim() === '') return [];
    const parsed = labelledSchema.safeParse(parseJson(line));
    if (!parsed.success) throw new Error(`${file}:${i + 1}: ${z.prettifyError(parsed.error)}`);
    return [parsed.data];
  });
  if (replies.length === 0) throw new Error(`${file} holds no replies`);
  return replies;
}

/** A reply as it went over the wire, code and separator on every line. */
export function readRaw(raw: string): Reply {
  const lines = raw.split('\n').map((line) => line.replace(/\r$/, '').slice(4));
  const enhanced = lines
    .map((line) => /^[245]\.\d{1,3}\.\d{1,3}(?=\s|$)/.exec(line)?.[0])
    .find((found) => found !== undefined);
  return { code: Number(raw.slice(0, 3)), enhanced: enhanced ?? null, lines };
}

/** `relay_denied` counts as no_such_mailbox: that is its verdict once every reachable MX says so, and a file has but one. */
export function labelOf(classified: Pick<Classified, 'meaning' | 'deferral'>): Label {
  switch (classified.meaning) {
    case 'relay_denied':
      return 'no_such_mailbox';
    case 'deferred':
      return classified.deferral?.cause === 'greylisting' ? 'greylisting' : 'deferred';
    case 'accepted':
    case 'no_such_mailbox':
    case 'mailbox_full':
    case 'policy_rejected':
    case 'unexpected':
      return classified.meaning;
  }
}

const rowOf = (label: Label): (typeof MEANINGS)[keyof typeof MEANINGS] =>
  MEANINGS[label === 'greylisting' ? 'deferred' : label];

export const isDead = (label: Label): boolean => rowOf(label).refuses;

export const isLiving = (label: Label): boolean => rowOf(label).accepts || rowOf(label).isFull;
