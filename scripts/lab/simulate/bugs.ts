export type Bug = {
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** What it breaks, as an operator would say it. */
  readonly what: string;
  /** A run that it goes wrong in: runs begin there. If the code changes and it no longer does, others are gone through too. */
  readonly seed: number;
};

/** Bugs that are put in on purpose, each a line of the code changed: the simulation must notice every one. */
export const BUGS: Readonly<Record<string, Bug>> = {
  'resend-nothing': {
    file: 'prober/link/outbox.ts',
    from: 'this.#sent.delete(job);\n    this.add(job);',
    to: 'void job;',
    what: 'a host that comes back does not send again what it found',
    seed: 870,
  },
  'wait-for-the-silent': {
    file: 'edge/fleet/batch/lease.ts',
    from: "now >= reportBy ? 'silent' : null",
    to: 'reportBy < 0 ? "silent" : null',
    what: 'a job is waited for although its host says nothing any more',
    seed: 111,
  },
  'wrong-place': {
    file: 'edge/fleet/batch/job.ts',
    from: 'const place = job.indexes[index];',
    to: 'const place: unknown = index;',
    what: 'evidence is written under its place in the job, and not in the batch',
    seed: 8,
  },
  'drain-at-once': {
    file: 'prober/link/host.ts',
    from: 'if (!this.#isDone) {',
    to: 'if (this.#jobs.running < 0) {',
    what: 'a host that drains does not wait for its jobs',
    seed: 220,
  },
  'end-too-early': {
    file: 'prober/link/jobs.ts',
    from: 'proven.remainingMs - HOST_ENDS_EARLIER_MS',
    to: 'proven.remainingMs / 10 - HOST_ENDS_EARLIER_MS',
    what: 'a host ends its jobs long before their deadline',
    seed: 0,
  },
  'run-again': {
    file: 'prober/link/jobs.ts',
    from: 'if (known !== undefined) {',
    to: "if (known !== undefined && known.state === 'cancelled') {",
    what: 'a job that comes a second time is run a second time',
    seed: 18,
  },
  'never-cancel': {
    file: 'edge/fleet/batch/fleet-batch.ts',
    from: 'if (this.#answer.isOn(sink)) this.#stop(null);',
    to: 'void sink;',
    what: 'a batch whose caller has gone is gone on with',
    seed: 13,
  },
  impatient: {
    file: 'schema/link.ts',
    from: 'ACK_WITHIN_MS = 2_000',
    to: 'ACK_WITHIN_MS = 500',
    what: 'a job at the far end of a slow link is taken for lost before it can be acknowledged',
    seed: 7,
  },
  'forget-asleep': {
    file: 'edge/fleet/object/attachment.ts',
    from: 'socket.serializeAttachment(link);',
    to: '',
    what: 'an object that hibernates forgets who its hosts are',
    seed: 1,
  },
  'give-again': {
    file: 'edge/ledger/give-back.ts',
    from: "l.kind = 'return')`",
    to: "l.kind = 'nothing')`",
    what: 'a settlement whose answer was lost gives back twice',
    seed: 102,
  },
  'charge-unprobed': {
    file: 'edge/verify/price.ts',
    from: "return slot.kind === 'address' && isRefunded((known.get(slot.address) ?? UNPROBED).outcome);",
    to: 'return false;',
    what: 'addresses that nobody asked about are charged',
    seed: 278,
  },
};
