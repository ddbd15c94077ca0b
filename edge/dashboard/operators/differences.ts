import type { HostEntry } from '../../../schema/admin.ts';
import { count } from '../words/numbers.ts';

/** One sentence for each kind of receiver about which a host disagrees with its peers, with what each of them said there. */
export function differencesOf({ id, differs = [] }: Pick<HostEntry, 'id' | 'differs'>): readonly string[] {
  return differs.map(({ provider, alone, split, of, said = [] }) => {
    const at = provider === 'others' ? 'at unlisted providers' : `at ${provider}`;
    const undecided = split === 0 ? '' : `, and in ${count(split)} without a third host to decide`;
    return `${id} differs from its peers ${at}: alone in ${count(alone)} of ${count(of)} addresses${undecided}.${wordsOf(said)}`;
  });
}

type Said = NonNullable<NonNullable<HostEntry['differs']>[number]['said']>;

/** If two of three are sick alike, the healthy one is named: what each said tells. */
function wordsOf(said: Said): string {
  const words = said.map(
    (one) => `${one.host} accepted ${count(one.accepts)}, refused ${count(one.refuses)}, no mail ${count(one.noMail)}`,
  );
  return words.length === 0 ? '' : ` What each said: ${words.join('; ')}.`;
}
