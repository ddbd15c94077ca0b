/** How the command can end besides 0, with the number that a shell sees, and what `--help` says of it. 1 is a bug. */
export const EXIT_CODES = {
  usage: [2, 'wrong usage; nothing was asked'],
  input: [3, 'the list cannot be read'],
  credits: [4, 'not enough credits, or --max-credits is reached'],
  key: [5, 'no API key, or the service refuses it'],
  service: [6, 'the service cannot be reached, or gave up'],
  output: [7, 'the output or the journal cannot be written'],
} as const satisfies Readonly<Record<string, readonly [code: number, meaning: string]>>;

export type Ending = keyof typeof EXIT_CODES;

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
