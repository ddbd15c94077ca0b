import { classifyWith } from '../../../prober/engine/meaning/classify.ts';
import { CLASSES, type Model } from '../../../prober/engine/meaning/model/model.ts';
import { gistOf, readText, withoutNames } from '../../../prober/engine/meaning/words/gist.ts';
import { casesOfLabelled, ownCases } from '../../train/corpus.ts';
import { modelOf } from '../../train/left-out.ts';
import type { Judged } from '../../replies/confusion.ts';
import { ASKED_AT, familyOf, outcomeOf, readRaw, RECIPIENT, type Labelled } from '../../replies/labelled.ts';

const FOLDS = 10;

/** One labelled reply as three readers judge it. The models never saw a reply of its family. */
export type Judgement = {
  readonly labelled: Labelled;
  readonly family: string;
  readonly rules: Judged;
  readonly model: Judged;
  readonly both: Judged;
  /** What decided for both: a rule's id, `code`, `model` or `nothing`. */
  readonly by: string;
};

/** Judges each reply by the rules, by a model trained without its family, and by both. */
export function judgeAll(replies: readonly Labelled[]): Judgement[] {
  const families = [...new Set(replies.map(familyOf))].toSorted();
  const foldOf = new Map(families.map((family, i) => [family, i % FOLDS]));
  return Array.from({ length: FOLDS }, (_, fold) => {
    const isOut = (one: Labelled): boolean => foldOf.get(familyOf(one)) === fold;
    const out = replies.filter(isOut);
    if (out.length === 0) return [];
    const model = modelOf([...ownCases(), ...casesOfLabelled(replies.filter((one) => !isOut(one)))]);
    return out.map((one) => judge(one, model));
  }).flat();
}

function judge(labelled: Labelled, model: Model): Judgement {
  const stage = ASKED_AT[labelled.stage];
  const reply = readRaw(labelled.raw);
  const rules = outcomeOf(classifyWith(null, stage, reply, { recipient: RECIPIENT }));
  const both = classifyWith(model, stage, reply, { recipient: RECIPIENT });
  const isItsBusiness = stage === 'rcpt' && reply.code >= 500;
  const alone = isItsBusiness ? model.opinion(gistOf(withoutNames(readText(reply), RECIPIENT))).says : rules;
  const judged = (got: string): Judged => ({ expected: labelled.expected, also: labelled.also, got });
  return {
    labelled,
    family: familyOf(labelled),
    rules: judged(rules),
    model: judged(alone),
    both: judged(outcomeOf(both)),
    by: both.rule ?? both.by,
  };
}

/** What the model alone decides: refusals at RCPT. */
export const isModelsBusiness = ({ labelled }: Judgement): boolean =>
  ASKED_AT[labelled.stage] === 'rcpt' &&
  labelled.raw.startsWith('5') &&
  CLASSES.some((one) => one === labelled.expected);
