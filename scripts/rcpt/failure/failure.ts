/** How the command can end besides 0, with the number that a shell sees. 1 is a bug. */
export const EXIT_CODES = {
  /** The command line asks for something that makes no sense, or that would destroy something. */
  usage: 2,
  /** The list cannot be read. */
  input: 3,
  /** The account's credits or the caller's ceiling are used up. */
  credits: 4,
  /** No key, or one that the service refuses. */
  key: 5,
  /** The service cannot be reached, or gave up. */
  service: 6,
  /** The output or the journal cannot be written. */
  output: 7,
} as const;

export type Ending = keyof typeof EXIT_CODES;

/** An end that was to be expected: what went wrong and what to do, for people. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly ending: Ending;

  constructor(ending: Ending, message: string, options?: ErrorOptions) {
    super(message, options);
    this.ending = ending;
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
