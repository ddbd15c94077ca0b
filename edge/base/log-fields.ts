/** Fields of a log line: our own ids, numbers and fixed words. */
export type LogFields = Readonly<Record<string, string | number | boolean | null>>;
