import { fileJournal } from '../../schema/client/node/file-journal.ts';
import { Rcpt, RcptError } from '../../schema/client/index.ts';

// A process that verifies a list with a journal until it is done, killed or cannot: each result is a line with its place
// on standard output, and the last line says how it ended. The order is JSON, the one argument.

export type ListOrder = {
  readonly url: string;
  readonly apiKey: string;
  readonly journal: string;
  readonly inFlight: number;
  readonly list: readonly string[];
};
export type ListEnded = {
  /** Of the error that ended it; null if there was none. */
  readonly code: string | null;
  readonly charged: number;
  readonly unsure: number;
  readonly requests: number;
};

const { url, apiKey, journal, inFlight, list }: ListOrder = JSON.parse(process.argv[2] ?? '');
const run = new Rcpt({ apiKey, baseURL: url }).verifyAll(list, { journal: fileJournal(journal), inFlight });
let code: string | null = null;
try {
  for await (const { index } of run) process.stdout.write(`${index}\n`);
} catch (error) {
  code = error instanceof RcptError ? error.code : String(error);
}
const { charged, unsure, requests } = run.tally;
const ended: ListEnded = { code, charged, unsure, requests };
process.stdout.write(`${JSON.stringify(ended)}\n`);
