export type LogFields = Readonly<Record<string, string | number | boolean>>;
/** Writes one line. `event` is a fixed word by which operators search and alarm; no address, no domain of one, no key. */
export type Log = (event: string, fields?: LogFields) => void;

/** One JSON object per line. */
export function createLog(write: (line: string) => void, timestamp: () => string): Log {
  return (event, fields = {}) => write(`${JSON.stringify({ at: timestamp(), event, ...fields })}\n`);
}
