/** Why a machine did not become a host, and what to do, in one line. */
export class JoinError extends Error {
  override readonly name = 'JoinError';
  /** The same command again cannot help. */
  readonly isFinal: boolean;

  constructor(message: string, isFinal: boolean) {
    super(message);
    this.isFinal = isFinal;
  }
}
