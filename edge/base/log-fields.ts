/** Fields of a log line: ids of our own, numbers and words of our own. */
export type LogFields = Readonly<Record<string, string | number | boolean | null>>;
