/**
 * A word of the contract, or one that a newer service has added: a reader of the service's answers keeps such a word
 * and passes it on. An editor still offers the known ones.
 */
export type Open<Word extends string> = Word | (string & {});

/** The names of a table, in the order of its rows. */
export function namesOf<Table extends object>(table: Table): readonly Extract<keyof Table, string>[] {
  const names: Extract<keyof Table, string>[] = [];
  for (const name in table) names.push(name);
  return names;
}

/** Whether a word is one that this version knows. */
export function isKnown<Word extends string>(words: readonly Word[], word: string): word is Word {
  return words.some((known) => known === word);
}
