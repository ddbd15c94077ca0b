import type { HostEntry } from '../contract/operator-api.ts';
import { count } from '../words/numbers.ts';

/** Where a host says other things than its peers of the same addresses, a sentence each. */
export function differencesOf({ id, differs = [] }: HostEntry): readonly string[] {
  return differs.map(({ provider, alone, split, of }) => {
    const at = provider === 'others' ? 'at providers that are not listed' : `at ${provider}`;
    const undecided = split === 0 ? '' : `, and in ${count(split)} with nobody to decide`;
    return `${id} differs from its peers ${at}: alone in ${count(alone)} of ${count(of)} addresses${undecided}.`;
  });
}
