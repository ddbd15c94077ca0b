import { Command, Option } from 'commander';
import { classify } from '../../../../prober/engine/meaning/classify.ts';
import { HELD_OUT } from '../../../../prober/testing/replies/held-out.ts';
import { HELD_OUT_SHAPES } from '../../../../prober/testing/replies/held-out-shapes.ts';
import { wholeNumber } from '../../../base/command-line.ts';
import {
  ASKED_AT,
  isDead,
  isLiving,
  type Label,
  type Labelled,
  labelOf,
  readLabelled,
  readRaw,
  RECIPIENT,
} from './labelled.ts';
import { judgeWithControls } from './with-controls.ts';

type Judged = { readonly labelled: Labelled; readonly got: Label };
/** By its words alone, the rule that said so, and with controls. */
type Verdict = Judged & { readonly rule: string | null; readonly withControls: Label };

type Options = { readonly worst: number; readonly heldOut: 'words' | 'shapes' };

/** `bench replies [FILE]`: how well the classifier judges labelled replies, one JSON object a line. Exit code 2 on bad input. */
export function repliesCommand(): Command {
  return new Command('replies')
    .description('Judges labelled replies, and prints how often the classifier is right and its worst mistakes')
    .argument('[file]', 'JSON lines with raw, stage, expected and also (default: a held-out set of this repository)')
    .addOption(new Option('--held-out <set>', 'which held-out set').choices(['words', 'shapes']).default('words'))
    .option('--worst <count>', 'how many mistakes to print', wholeNumber(0, 999_999), 10)
    .action(async (file: string | undefined, { worst, heldOut }: Options, command: Command) => {
      const replies = await (file === undefined ? heldOutReplies(heldOut) : readLabelled(file)).catch(
        (cause: unknown) =>
          command.error(`error: ${cause instanceof Error ? cause.message : String(cause)}`, { exitCode: 2 }),
      );
      const verdicts: Verdict[] = [];
      for (const one of replies) verdicts.push(await judge(one));
      const mistakes = verdicts.filter((one) => !isStrict(one)).toSorted((a, b) => weigh(b) - weigh(a));
      const controlled = verdicts.map(({ labelled, withControls }) => ({ labelled, got: withControls }));
      process.stdout.write(
        [
          `${verdicts.length} replies by their words: ${figuresOf(verdicts)}`,
          `the same with controls, in a batch where somebody else of the domain is asked about: ${figuresOf(controlled)}`,
          `mistakes: ${mistakes.length}, the worst first`,
          ...mistakes.slice(0, worst).map(printMistake),
          '',
        ].join('\n'),
      );
    });
}

async function heldOutReplies(set: Options['heldOut']): Promise<readonly Labelled[]> {
  const all = set === 'shapes' ? HELD_OUT_SHAPES : HELD_OUT;
  return all.map(([expected, raw]) => ({ raw, stage: 'rcpt', expected, also: [] }));
}

async function judge(labelled: Labelled): Promise<Verdict> {
  const classified = classify(ASKED_AT[labelled.stage], readRaw(labelled.raw), RECIPIENT);
  const got = labelOf(classified);
  return { labelled, got, rule: classified.rule, withControls: (await judgeWithControls(labelled)) ?? got };
}

const isStrict = ({ labelled, got }: Judged): boolean => got === labelled.expected;
const isLenient = (one: Judged): boolean => isStrict(one) || one.labelled.also.includes(one.got);
/** A living mailbox that is called dead. */
const isFalseDead = (one: Judged): boolean => isDead(one.got) && !isLenient(one);
const isFalseLiving = (one: Judged): boolean => isLiving(one.got) && !isLenient(one);

/** Worst first: a living mailbox called dead, then what no label allows, then what is merely not the best answer. */
function weigh(one: Judged): number {
  if (isFalseDead(one)) return 3;
  if (isLenient(one)) return 0;
  return isFalseLiving(one) ? 2 : 1;
}

function figuresOf(all: readonly Judged[]): string {
  const dead = all.filter(({ labelled }) => isDead(labelled.expected));
  const shares = [
    `strict ${share(all.filter(isStrict), all)}`,
    `lenient ${share(all.filter(isLenient), all)}`,
    `dead found ${share(dead.filter(isStrict), dead)}`,
  ];
  const counts = [
    `wrongly dead ${all.filter(isFalseDead).length}`,
    `wrongly living ${all.filter(isFalseLiving).length}`,
  ];
  return [...shares, ...counts].join(', ');
}

function share(some: readonly Judged[], of: readonly Judged[]): string {
  return of.length === 0 ? '-' : `${((some.length / of.length) * 100).toFixed(1)} %`;
}

function printMistake(one: Verdict): string {
  const { expected, also, stage, raw } = one.labelled;
  const kind = isFalseDead(one) ? 'FALSE DEAD' : isLenient(one) ? 'not the best' : 'wrong';
  const allowed = [expected, ...also].join(' or ');
  return `  ${kind}: ${one.got} (${one.rule ?? 'by code'}), expected ${allowed}, at ${stage}: ${JSON.stringify(raw).slice(0, 200)}`;
}
