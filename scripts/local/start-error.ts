/** Why the service cannot start, in one line that says what to do. Exit code 1. */
export class StartError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'StartError';
  }
}
