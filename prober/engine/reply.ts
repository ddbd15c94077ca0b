/** One complete SMTP reply (RFC 5321 §4.2). Lines are without code, separator and line end; their text never leaves the host. */
export type Reply = {
  readonly code: number;
  /** From the first line that has one (RFC 2034), null where none has. */
  readonly enhanced: string | null;
  readonly lines: readonly string[];
};
