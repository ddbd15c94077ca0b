import { type Ending, EXIT_CODES } from '../../../schema/list-job/problems.ts';

/** An end that was to be expected: what went wrong and what to do, for people. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly ending: Ending;

  constructor(ending: Ending, message: string, options?: ErrorOptions) {
    super(message, options);
    this.ending = ending;
  }

  get exitCode(): number {
    return EXIT_CODES[this.ending][0];
  }
}

/** Ctrl-C, or another signal that asks to stop. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  /** 128 and the signal's number, as shells count. */
  readonly exitCode: number;

  constructor(exitCode: number) {
    super('Stopped.');
    this.exitCode = exitCode;
  }
}

/** The code that the system gives with an error, such as ENOENT. */
export function systemCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}
