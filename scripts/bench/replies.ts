import { readFile } from 'node:fs/promises';
import { Command, InvalidArgumentError } from 'commander';
import * as z from 'zod';
import { parseJson } from '../../schema/parse-json.ts';
import { classify, type Classified, type Stage } from '../../prober/engine/meaning/classify.ts';
import type { Reply } from '../../prober/engine/wire/reply.ts';
import {
  isFalseDead,
  isLenient,
  isStrict,
  measure,
  type Figures,
  type Judged,
  type OutcomeFigures,
} from './confusion.ts';

const OUTCOMES = [
  'accepted',
  'no_such_mailbox',
  'mailbox_full',
  'greylisting',
  'deferred',
  'policy_rejected',
  'unexpected',
] as const;
type Outcome = (typeof OUTCOMES)[number];

const labelledSchema = z.object({
  id: z.string(),
  raw: z.string().regex(/^[1-5]\d\d(?:[ -]|$)/),
  stage: z.enum(['banner', 'ehlo', 'starttls', 'mail', 'rcpt', 'data', 'unknown']),
  expected: z.enum(OUTCOMES),
  also: z.array(z.enum(OUTCOMES)),
});
type Labelled = z.infer<typeof labelledSchema>;

/** `data` and an unknown stage are asked at RCPT: the hardest reading, where a reply can be called a dead mailbox. */
const ASKED_AT = {
  banner: 'greeting',
  ehlo: 'ehlo',
  starttls: 'starttls',
  mail: 'mail',
  rcpt: 'rcpt',
  data: 'rcpt',
  unknown: 'rcpt',
} as const satisfies Record<Labelled['stage'], Stage>;

type Verdict = Labelled & Judged & { readonly rule: string | null };

/** `bench replies FILE`: how well the classifier judges labelled replies, one JSON object a line. Exit code 2 on bad input. */
export function repliesCommand(): Command {
  return new Command('replies')
    .description(
      'Judges labelled replies (JSON lines) and prints how often the classifier is right, and how it is wrong',
    )
    .argument('<file>', 'JSON lines with raw, stage, expected and also')
    .option('--json', 'print figures and mistakes as one JSON object')
    .option('--worst <count>', 'how many mistakes to print', parseCount, 10)
    .action(async (file: string, options: { json?: boolean; worst: number }, command: Command) => {
      const verdicts = await judgeFile(file).catch((cause: unknown) =>
        command.error(`error: ${cause instanceof Error ? cause.message : String(cause)}`, { exitCode: 2 }),
      );
      const figures = measure(verdicts, OUTCOMES);
      const mistakes = verdicts.filter((one) => !isStrict(one)).toSorted((a, b) => weigh(b) - weigh(a));
      const print = options.json === true ? printJson : printText;
      process.stdout.write(print(figures, mistakes.slice(0, options.worst)));
    });
}

function parseCount(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('Not a count.');
  return Number(text);
}

async function judgeFile(file: string): Promise<Verdict[]> {
  const lines = (await readFile(file, 'utf8')).split('\n');
  const verdicts = lines.flatMap((line, i) => (line.trim() === '' ? [] : [judge(parseLine(line, `${file}:${i + 1}`))]));
  if (verdicts.length === 0) throw new Error(`${file} holds no replies`);
  return verdicts;
}

function parseLine(line: string, where: string): Labelled {
  const json = parseJson(line);
  if (json === undefined) throw new Error(`${where}: not JSON`);
  const parsed = labelledSchema.safeParse(json);
  if (!parsed.success) throw new Error(`${where}: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

function judge(labelled: Labelled): Verdict {
  const classified = classify(ASKED_AT[labelled.stage], readRaw(labelled.raw));
  return { ...labelled, got: outcomeOf(classified), rule: classified.rule };
}

/** A reply as it went over the wire, code and separator on every line. */
function readRaw(raw: string): Reply {
  const lines = raw.split('\n').map((line) => line.replace(/\r$/, '').slice(4));
  const enhanced = lines
    .map((line) => /^[245]\.\d{1,3}\.\d{1,3}(?=\s|$)/.exec(line)?.[0])
    .find((found) => found !== undefined);
  return { code: Number(raw.slice(0, 3)), enhanced: enhanced ?? null, lines };
}

/** `relay_denied` counts as no_such_mailbox: that is its verdict once every reachable MX says so, and a file has but one. */
function outcomeOf(classified: Classified): Outcome {
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

/** Worst first: a living mailbox called invalid, then what no label allows, then what is merely not the best answer. */
function weigh(one: Judged): number {
  if (isFalseDead(one)) return 3;
  if (isLenient(one)) return 0;
  return one.got === 'accepted' || one.got === 'mailbox_full' ? 2 : 1;
}

function printJson(figures: Figures, mistakes: readonly Verdict[]): string {
  return `${JSON.stringify({ ...figures, mistakes: mistakes.map(({ id, raw, stage, expected, also, got, rule }) => ({ id, raw, stage, expected, also, got, rule })) }, null, 2)}\n`;
}

function printText(figures: Figures, mistakes: readonly Verdict[]): string {
  const { total, strict, lenient, falseDead } = figures;
  const occurring = figures.outcomes.filter(({ expected, judged }) => expected + judged > 0);
  return [
    `${total} replies: strict ${percent(strict / total)}, lenient ${percent(lenient / total)}`,
    `false dead (a living mailbox called invalid): ${falseDead}`,
    '',
    row(
      'expected \\ judged',
      occurring.map(({ outcome }) => outcome),
    ),
    ...occurring.map(({ outcome }) =>
      row(
        outcome,
        occurring.map((got) => String(figures.matrix[outcome]?.[got.outcome] ?? 0)),
      ),
    ),
    '',
    row('', ['precision', 'lenient', 'recall', 'lenient']),
    ...occurring.map(printOutcome),
    '',
    `worst mistakes (${mistakes.length} shown):`,
    ...mistakes.map(printMistake),
    '',
  ].join('\n');
}

function printOutcome({ outcome, precision, recall }: OutcomeFigures): string {
  return row(outcome, [precision?.strict, precision?.lenient, recall?.strict, recall?.lenient].map(percent));
}

function printMistake(one: Verdict): string {
  const allowed = [one.expected, ...one.also].join(' or ');
  const kind = isFalseDead(one) ? 'FALSE DEAD' : isLenient(one) ? 'not the best' : 'wrong';
  return `  ${kind}: ${one.got} (${one.rule ?? 'by code'}), expected ${allowed}, at ${one.stage}: ${JSON.stringify(one.raw).slice(0, 200)}`;
}

function row(head: string, cells: readonly string[]): string {
  return head.padEnd(18) + cells.map((cell) => cell.padStart(16)).join('');
}

function percent(share: number | undefined): string {
  return share === undefined ? '-' : `${(share * 100).toFixed(1)} %`;
}
