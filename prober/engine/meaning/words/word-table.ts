/** Rows of words and phrases (`ip_address`) by the word that stands for them. `DROP` are fillers that say nothing. */
export type WordTable = Readonly<Record<string, string>>;
