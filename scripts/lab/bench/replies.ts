import { Command, InvalidArgumentError, Option } from 'commander';
import { classify } from '../../../prober/engine/meaning/classify.ts';
import { HELD_OUT } from '../../../prober/testing/replies/held-out.ts';
import { HELD_OUT_SHAPES } from '../../../prober/testing/replies/held-out-shapes.ts';
import {
  isFalseDead,
  isFalseLiving,
  isLenient,
  isStrict,
  measure,
  type Figures,
  type Judged,
  type OutcomeFigures,
} from '../replies/confusion.ts';
import {
  ASKED_AT,
  type Label,
  LABELS,
  labelOf,
  readLabelled,
  readRaw,
  RECIPIENT,
  type Labelled,
} from '../replies/labelled.ts';
import { judgeWithControls } from '../replies/with-controls.ts';

type Verdict = Labelled & Judged & { readonly rule: string | null; readonly withControls: Label };

type Options = {
  readonly json?: boolean;
  readonly worst: number;
  readonly heldOut: 'words' | 'shapes';
};

/** `bench replies [FILE]`: how well the classifier judges labelled replies, one JSON object a line. Exit code 2 on bad input. */
export function repliesCommand(): Command {
  return new Command('replies')
    .description(
      'Judges labelled replies (JSON lines) and prints how often the classifier is right, and how it is wrong',
    )
    .argument(
      '[file]',
      'JSON lines with id, raw, stage, expected and also (default: the held-out set of this repository)',
    )
    .addOption(
      new Option('--held-out <set>', 'without a file: which held-out set')
        .choices(['words', 'shapes'])
        .default('words'),
    )
    .option('--json', 'print figures and mistakes as one JSON object')
    .option('--worst <count>', 'how many mistakes to print', parseCount, 10)
    .action(async (file: string | undefined, options: Options, command: Command) => {
      const verdicts = await judgeAll(file, options).catch((cause: unknown) =>
        command.error(`error: ${cause instanceof Error ? cause.message : String(cause)}`, { exitCode: 2 }),
      );
      const figures = {
        ...measure(verdicts, LABELS),
        withControls: measure(
          verdicts.map((one) => ({ ...one, got: one.withControls })),
          LABELS,
        ),
      };
      const mistakes = verdicts.filter((one) => !isStrict(one)).toSorted((a, b) => weigh(b) - weigh(a));
      const print = options.json === true ? printJson : printText;
      process.stdout.write(print(figures, mistakes.slice(0, options.worst)));
    });
}

function parseCount(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('Not a count.');
  return Number(text);
}

async function judgeAll(file: string | undefined, { heldOut }: Options): Promise<Verdict[]> {
  const replies = file === undefined ? heldOutReplies(heldOut) : await readLabelled(file);
  const judged: Verdict[] = [];
  for (const one of replies) judged.push(await judge(one));
  return judged;
}

function heldOutReplies(set: Options['heldOut']): Labelled[] {
  return (set === 'shapes' ? HELD_OUT_SHAPES : HELD_OUT).map(([expected, raw]) => ({
    id: raw,
    raw,
    stage: 'rcpt',
    expected,
    also: [],
  }));
}

async function judge(labelled: Labelled): Promise<Verdict> {
  const classified = classify(ASKED_AT[labelled.stage], readRaw(labelled.raw), RECIPIENT);
  const got = labelOf(classified);
  return { ...labelled, got, rule: classified.rule, withControls: (await judgeWithControls(labelled)) ?? got };
}

/** Worst first: a living mailbox called invalid, then what no label allows, then what is merely not the best answer. */
function weigh(one: Judged): number {
  if (isFalseDead(one)) return 3;
  if (isLenient(one)) return 0;
  return isFalseLiving(one) ? 2 : 1;
}

type BothFigures = Figures & { readonly withControls: Figures };

function printJson(figures: BothFigures, mistakes: readonly Verdict[]): string {
  return `${JSON.stringify({ ...figures, mistakes: mistakes.map(({ id, raw, stage, expected, also, got, rule }) => ({ id, raw, stage, expected, also, got, rule })) }, null, 2)}\n`;
}

function summaryOf(of: Figures): string {
  const dead = of.outcomes.find(({ outcome }) => outcome === 'no_such_mailbox')?.expected ?? 0;
  const found = percent(dead === 0 ? undefined : (of.matrix['no_such_mailbox']?.['no_such_mailbox'] ?? 0) / dead);
  const right = `strict ${percent(of.strict / of.total)}, lenient ${percent(of.lenient / of.total)}`;
  return `${right}, dead found ${found}, wrongly dead ${of.falseDead}, wrongly living ${of.falseLiving}`;
}

function printText(figures: BothFigures, mistakes: readonly Verdict[]): string {
  const { total } = figures;
  const occurring = figures.outcomes.filter(({ expected, judged }) => expected + judged > 0);
  return [
    `${total} replies by their words: ${summaryOf(figures)}`,
    `the same with controls, in a batch where somebody else of the domain is asked about: ${summaryOf(figures.withControls)}`,
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
