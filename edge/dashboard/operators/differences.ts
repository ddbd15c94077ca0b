import type { HostEntry } from '../../../schema/admin.ts';
import { count } from '../words/numbers.ts';

/** One sentence for each kind of receiver about which a host disagrees with its peers. */
export function differencesOf({ id, differs = [] }: Pick<HostEntry, 'id' | 'differs'>): readonly string[] {
  return differs.map(({ provider, alone, split, of }) => {
    const at = provider === 'others' ? 'at unlisted providers' : `at ${provider}`;
    const undecided = split === 0 ? '' : `, and in ${count(split)} without a third host to decide`;
    return `${id} differs from its peers ${at}: alone in ${count(alone)} of ${count(of)} addresses${undecided}.`;
  });
}
