/** Rows of words and phrases (`ip_address`) by the word that represents them. `DROP` are fillers without meaning. */
export type WordTable = Readonly<Record<string, string>>;
