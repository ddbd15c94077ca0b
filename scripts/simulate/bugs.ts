export type Bug = {
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** What it breaks, as an operator would say it. */
  readonly what: string;
};

/** Bugs that are put in on purpose, each a line of the code changed: the simulation must notice every one. */
export const BUGS: Readonly<Record<string, Bug>> = {
  'resend-nothing': {
    file: 'prober/link/outbox.ts',
    from: 'this.#sent.delete(job);\n    this.add(job);',
    to: 'void job;',
    what: 'a host that comes back does not send again what it found',
  },
  'wait-for-the-silent': {
    file: 'edge/fleet/watch.ts',
    from: "now >= reportBy ? 'silent' : null",
    to: 'reportBy < 0 ? "silent" : null',
    what: 'a job is waited for although its host says nothing any more',
  },
  'wrong-place': {
    file: 'edge/fleet/attempts.ts',
    from: 'const index = attempt.indexes[inJob];',
    to: 'const index: number | undefined = inJob;',
    what: 'evidence is written under its place in the job, and not in the batch',
  },
  'drain-at-once': {
    file: 'prober/link/host.ts',
    from: 'if (!this.#isDone) {',
    to: 'if (this.#jobs.running < 0) {',
    what: 'a host that drains does not wait for its jobs',
  },
  'end-too-early': {
    file: 'prober/link/jobs.ts',
    from: 'proven.remainingMs - HOST_ENDS_EARLIER_MS',
    to: 'proven.remainingMs / 10 - HOST_ENDS_EARLIER_MS',
    what: 'a host ends its jobs long before their deadline',
  },
};
