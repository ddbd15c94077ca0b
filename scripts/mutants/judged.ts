// Mutants that live and may: each was looked at, and says why no test can or should catch it. They are found again by
// file and text, so that lines may move; one whose code is gone, or that a test catches now, is reported as stale.

export type Judged = {
  readonly file: string;
  /** As the command prints them. */
  readonly before: string;
  readonly after: string;
  readonly reason: string;
};

export const JUDGED: readonly Judged[] = [];
