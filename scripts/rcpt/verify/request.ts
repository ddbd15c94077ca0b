import { STATUSES } from '../../../schema/words/verdicts.ts';
import { Failure } from '../failure/failure.ts';
import type { ConnectionOptions } from '../account/connection.ts';
import type { Reading } from '../table/open-table.ts';
import type { Column } from '../../../schema/lists/columns/result-columns.ts';
import type { OutputFormat } from '../../../schema/lists/writing/list-writer.ts';

/** Which rows of an earlier output are asked: by their status, or those that have none. A newer service has more. */
export const WANTED: readonly string[] = [...STATUSES, 'none'];

/** What `rcpt verify` was asked for; `-` is standard input or output. */
export type VerifyRequest = {
  readonly input: string;
  /** What is asked instead of a list; `input` is `-` then. */
  readonly addresses: readonly string[] | null;
  readonly output: string;
  readonly outputFormat: OutputFormat | null;
  readonly reading: Reading;
  readonly column: string | null;
  /** The result columns of the output. */
  readonly columns: readonly Column[];
  readonly only: ReadonlySet<string> | null;
  readonly rounds: number;
  readonly maxCredits: number | null;
  readonly isDryRun: boolean;
  readonly isForced: boolean;
  readonly isResumed: boolean;
  readonly isAgreed: boolean;
  readonly isQuiet: boolean;
  readonly isJson: boolean;
  readonly escapesTheirs: boolean;
  /** For standard output; an output file has its own beside it. */
  readonly journal: string | null;
  readonly connection: ConnectionOptions;
};

/** @throws Failure for what makes no sense together */
export function checkRequest(request: VerifyRequest): void {
  const { output, journal, isForced, isResumed, isJson } = request;
  if (output !== '-' && journal !== null)
    throw usage('--journal is for standard output: an output file has its journal beside it.');
  if (output === '-' && isForced) throw usage('--force is for an output file: name it with -o.');
  if (output === '-' && isResumed && journal === null)
    throw usage('--resume needs an output file or --journal: progress is kept there.');
  if (output === '-' && isJson) throw usage('--json uses standard output: send the rows to a file with -o.');
}

function usage(message: string): Failure {
  return new Failure('usage', message);
}
