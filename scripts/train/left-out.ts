import { createModel, type Model } from '../../prober/engine/meaning/model/model.ts';
import { mayBeDead } from '../../prober/engine/meaning/model/second-opinion.ts';
import type { Case } from './corpus.ts';
import { train, type Example } from './regression.ts';

const FOLDS = 10;

/** A case and the model that saw nothing of its family. */
export type LeftOut = { readonly one: Case; readonly model: Model };

/** Trains without each family in turn (families share ten folds); families named in `always` are never left out. */
export function leaveFamiliesOut(cases: readonly Case[], always: readonly string[] = []): LeftOut[] {
  const families = [...new Set(cases.map(({ family }) => family))].filter((family) => !always.includes(family));
  const folds = new Map(families.toSorted().map((family, i) => [family, i % FOLDS]));
  return Array.from({ length: FOLDS }, (_, fold) => {
    const out = cases.filter(({ family }) => folds.get(family) === fold);
    const model = out.length === 0 ? null : modelOf(cases.filter(({ family }) => folds.get(family) !== fold));
    return model === null ? [] : out.map((one) => ({ one, model }));
  }).flat();
}

export function modelOf(examples: readonly Example[]): Model {
  const model = createModel({ ...train(examples), figures: {} });
  if (model === null) throw new Error('a model that was just trained does not read as one');
  return model;
}

export type Sure = { readonly surerThan: number; readonly said: number; readonly wrong: number };

/** How often the model alone says that a mailbox is dead, if it may, and how often it is wrong, by how sure it is. */
export function judgeSureness(leftOut: readonly LeftOut[], steps: readonly number[]): Sure[] {
  const dead = leftOut.flatMap(({ one, model }) => {
    const { says, probability } = model.opinion(one.gist);
    return says === 'no_such_mailbox' && mayBeDead(one.gist) ? [{ one, probability }] : [];
  });
  return steps.map((surerThan) => {
    const sure = dead.filter(({ probability }) => probability >= surerThan);
    return {
      surerThan,
      said: sure.length,
      wrong: sure.filter(({ one }) => !one.allowed.includes('no_such_mailbox')).length,
    };
  });
}

/** Shares of left-out cases that the model alone judges as a label allows, and how many it wrongly calls dead. */
export function judgeAlone(leftOut: readonly LeftOut[]): { readonly lenient: number; readonly falseDead: number } {
  const said = leftOut.map(({ one, model }) => ({ one, says: model.opinion(one.gist).says }));
  return {
    lenient: said.filter(({ one, says }) => one.allowed.includes(says)).length / Math.max(1, said.length),
    falseDead: said.filter(({ one, says }) => says === 'no_such_mailbox' && !one.allowed.includes(says)).length,
  };
}
