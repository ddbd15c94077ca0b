/** Why enrolment failed and what to do, in one line. */
export class JoinError extends Error {
  override readonly name = 'JoinError';
  /** Running the same command again cannot succeed. */
  readonly isFinal: boolean;

  constructor(message: string, isFinal: boolean) {
    super(message);
    this.isFinal = isFinal;
  }
}
