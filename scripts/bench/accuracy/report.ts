import { classifyWith } from '../../../prober/engine/meaning/classify.ts';
import type { Model } from '../../../prober/engine/meaning/model/model.ts';
import { OWN_MODEL } from '../../../prober/engine/meaning/model/own-model.ts';
import { HELD_OUT } from '../../../prober/testing/replies/held-out.ts';
import { isFalseDead, isLenient, isStrict, measure, type Figures, type Judged } from '../../replies/confusion.ts';
import { OUTCOMES, outcomeOf, readRaw, RECIPIENT } from '../../replies/labelled.ts';
import { FIRST_READINGS } from './first-readings.ts';
import { isModelsBusiness, type Judgement } from './judgements.ts';
import { OURS, PEERS } from './peers.ts';

const SMALL_FAMILY = 5;
const WORST = 20;

/** `prober/ACCURACY.md`: what `judgements` come to, on `date` (YYYY-MM-DD). */
export function accuracyReport(judgements: readonly Judgement[], date: string): string {
  return [
    `# How well replies are read`,
    '',
    `Made by \`npm run -s bench -- accuracy FILE… --out prober/ACCURACY.md\` on ${date}; not written by hand.`,
    '',
    ...method(judgements),
    '## Rules, model, and both',
    '',
    ...comparison(judgements),
    '',
    '## What was taken for what',
    '',
    'Rules and model together. A row is what the label names, a column what was judged.',
    '',
    ...matrix(measure(judgements.map(both), OUTCOMES)),
    '',
    '## By family',
    '',
    `Families with fewer than ${SMALL_FAMILY} replies stand together.`,
    '',
    ...byKey(judgements, familyKey(judgements), 'family'),
    '',
    '## By language',
    '',
    ...byKey(judgements, ({ labelled }) => labelled.lang ?? 'not said', 'language'),
    '',
    '## What is wrong, and by what',
    '',
    ...mistakes(judgements),
    '',
    '## Replies that were new',
    '',
    ...firstReadings(),
    '',
    '## Others',
    '',
    ...peers(),
    '',
  ].join('\n');
}

const both = (one: Judgement): Judged => one.both;

function method(judgements: readonly Judgement[]): string[] {
  const sources = new Set(judgements.map(({ labelled }) => labelled.source)).size;
  const families = new Set(judgements.map(({ family }) => family)).size;
  return [
    `${judgements.length} replies of real servers from ${sources} sources in ${families} families: bounce classifiers' tests, providers' error`,
    "references, mail servers' source code, operators' rules, threads. The source gave each its label, and the outcomes that are",
    'also defensible. *Strict* is the label itself, *lenient* any that is allowed; *wrongly dead* is judged `no_such_mailbox`',
    'if no label allows it, *wrongly living* `accepted` or `mailbox_full`; *dead found* is the share of labelled',
    '`no_such_mailbox` that was judged so. A reply whose stage the source does not tell is read as an answer to RCPT, the',
    'hardest reading.',
    '',
    'The rules were written with these replies open, so their column is a training figure. The model of each row was trained',
    "without that row's family (ten folds), on all other families and on the replies in the tests. For what replies cost that",
    'nobody had read, see "Replies that were new".',
    '',
  ];
}

function comparison(all: readonly Judgement[]): string[] {
  const business = all.filter(isModelsBusiness);
  return [
    '| | replies | strict | lenient | wrongly dead | wrongly living | dead found |',
    '|---|---|---|---|---|---|---|',
    summary(
      'rules alone',
      all.map(({ rules }) => rules),
    ),
    summary('both', all.map(both)),
    summary(
      'rules alone, refusals at RCPT',
      business.map(({ rules }) => rules),
    ),
    summary(
      'model alone, refusals at RCPT',
      business.map(({ model }) => model),
    ),
    summary('both, refusals at RCPT', business.map(both)),
  ];
}

function summary(name: string, judged: readonly Judged[]): string {
  const living = judged.filter(
    (one) => !isLenient(one) && (one.got === 'accepted' || one.got === 'mailbox_full'),
  ).length;
  const dead = judged.filter(({ expected }) => expected === 'no_such_mailbox');
  return row([
    name,
    String(judged.length),
    share(judged.filter(isStrict).length, judged.length),
    share(judged.filter(isLenient).length, judged.length),
    String(judged.filter(isFalseDead).length),
    String(living),
    share(dead.filter(isStrict).length, dead.length),
  ]);
}

function matrix({ outcomes, matrix: cells }: Figures): string[] {
  const occurring = outcomes.filter(({ expected, judged }) => expected + judged > 0).map(({ outcome }) => outcome);
  return [
    row(['expected', ...occurring]),
    row(['---', ...occurring.map(() => '---')]),
    ...occurring.map((outcome) => row([outcome, ...occurring.map((got) => String(cells[outcome]?.[got] ?? 0))])),
  ];
}

function familyKey(all: readonly Judgement[]): (one: Judgement) => string {
  const sizes = new Map<string, number>();
  for (const { family } of all) sizes.set(family, (sizes.get(family) ?? 0) + 1);
  return ({ family }) => ((sizes.get(family) ?? 0) < SMALL_FAMILY ? 'others' : family);
}

function byKey(all: readonly Judgement[], key: (one: Judgement) => string, name: string): string[] {
  const groups = Map.groupBy(all, key);
  const sorted = [...groups].toSorted(([, a], [, b]) => b.length - a.length);
  return [
    `| ${name} | replies | strict | lenient | wrongly dead | wrongly living | dead found |`,
    '|---|---|---|---|---|---|---|',
    ...sorted.map(([group, list]) => summary(group, list.map(both))),
  ];
}

function mistakes(all: readonly Judgement[]): string[] {
  const wrong = all.filter((one) => !isStrict(one.both)).toSorted((a, b) => badness(b.both) - badness(a.both));
  const lenient = wrong.filter((one) => isLenient(one.both)).length;
  return [
    `${wrong.length - lenient} replies are judged as no label allows, ${lenient} as one allows that is not the first. The worst ${Math.min(WORST, wrong.length)}:`,
    '',
    '| reply | expected | judged | by |',
    '|---|---|---|---|',
    ...wrong.slice(0, WORST).map(({ labelled, both: { got }, by }) => {
      const allowed = [`**${labelled.expected}**`, ...labelled.also].join(', ');
      return row([`\`${code(labelled.raw)}\``, allowed, got, by]);
    }),
  ];
}

/** Worst first: a living mailbox called dead, a dead one called living, then what no label allows. */
function badness(one: Judged): number {
  if (isFalseDead(one)) return 3;
  if (isLenient(one)) return 0;
  return one.got === 'accepted' || one.got === 'mailbox_full' ? 2 : 1;
}

function firstReadings(): string[] {
  return [
    'The figure that counts is what is made of words that nobody here had read. These sets were written in the words of mail',
    'servers and of the people who run them, labelled, and shown once to the rules and the model of that hour. *Before* is the',
    'engine that had learnt from none of them.',
    '',
    '| set | replies | right before | right | dead found before | dead found | wrongly dead before | wrongly dead |',
    '|---|---|---|---|---|---|---|---|',
    ...FIRST_READINGS.map(({ set, replies, before, first }) =>
      row([
        set,
        String(replies),
        percent(before.right),
        optional(first?.right),
        optional(before.deadFound),
        optional(first?.deadFound),
        String(before.falseDead),
        String(first?.falseDead ?? '-'),
      ]),
    ),
    '',
    `Set G, ${HELD_OUT.length} replies, was written when all was done, and is held out to this day:`,
    '',
    '| | replies | strict | lenient | wrongly dead | wrongly living | dead found |',
    '|---|---|---|---|---|---|---|',
    summary('rules alone', judgeHeldOut(null)),
    summary('both', judgeHeldOut(OWN_MODEL)),
  ];
}

function judgeHeldOut(model: Model | null): Judged[] {
  return HELD_OUT.map(([expected, raw]) => ({
    expected,
    also: [],
    got: outcomeOf(classifyWith(model, 'rcpt', readRaw(raw), { recipient: RECIPIENT })),
  }));
}

const optional = (value: number | null | undefined): string => (value == null ? '-' : percent(value));

function peers(): string[] {
  return [
    '517 replies of the first kind, held out, were put to other verifiers, the answers of each mapped to the labels in the way',
    'that is best for it. This was measured earlier, with the versions named, and not by the command that writes this page:',
    '',
    '| reader | lenient | wrongly dead |',
    '|---|---|---|',
    row(['this engine, at that time', percent(OURS.lenient), String(OURS.falseDead)]),
    ...PEERS.map(({ name, lenient, falseDead }) => row([name, percent(lenient), String(falseDead)])),
  ];
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const share = (part: number, whole: number): string => (whole === 0 ? '-' : percent((part / whole) * 100));
const percent = (value: number): string => `${value.toFixed(1)} %`;

/** A reply fit for a table's cell: one line, no bars or backticks, not too long. */
const code = (raw: string): string => raw.replace(/[\s|`]+/g, ' ').slice(0, 140);
