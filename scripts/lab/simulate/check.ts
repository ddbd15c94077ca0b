import { isDeepStrictEqual } from 'node:util';
import type { BatchResult, Batch } from './caller.ts';
import type { Machine } from './machine.ts';
import { type MailWorld, truthOf } from './mail-world.ts';

/** After the deadline an answer may still be handed over. */
const LATE_MS = 250;
/** A job lost with its host goes to another, this many times; then its batch is given up, for it may be what kills them. */
const LOSSES_MAX = 3;
/** A job that nobody waits for is cancelled in this time. */
const CANCELLED_MS = 3_000;
/** What a host did to recover from may be this long ago, when a batch begins. */
const RECOVERED_MS = 45_000;

export type Run = {
  readonly batches: readonly { readonly batch: Batch; readonly answer: BatchResult | null }[];
  readonly machines: readonly Machine[];
  /** Whether a host was connected at this time that nothing was ever done to. */
  readonly steady: (atMs: number) => boolean;
  readonly resets: readonly number[];
  readonly world: MailWorld<Machine>;
};

/** What is wrong with how a run went; nothing: all held. */
export function faultsOf(run: Run): readonly string[] {
  const running = run.machines.filter((machine) => machine.alive && machine.jobs > 0);
  return [
    ...run.batches.flatMap(({ batch, answer }) =>
      answer === null ? [`${batch.id} was never answered`] : faultsOfBatch(run, batch, answer),
    ),
    ...running.map(({ name, jobs }) => `${name} still has ${jobs} jobs after every deadline`),
  ];
}

function faultsOfBatch(run: Run, batch: Batch, { kind, cost, found, endedAt }: BatchResult): string[] {
  const faults: string[] = [];
  const say = (what: string): void => void faults.push(`${batch.id}: ${what}`);
  // Each answer costs one, and who got none pays nothing.
  if (cost !== (kind === 'answered' ? found.length : 0)) say(`${kind} with ${found.length} answers, and cost ${cost}`);
  if (endedAt > batch.deadlineAt + LATE_MS) say(`ended ${Math.round(endedAt - batch.deadlineAt)} ms late`);
  const seen = new Set<number>();
  for (const { address, evidence } of found) {
    const [local, domain] = batch.addresses[address] ?? ['', ''];
    if (seen.has(address)) say(`answered ${address} twice`);
    seen.add(address);
    if (!isDeepStrictEqual(evidence, truthOf({ local, domain }))) say(`${address} has the answer of another address`);
  }
  const resets = run.resets.filter((at) => at >= batch.begunAt && at <= batch.deadlineAt).length;
  const missing = batch.addresses.length - seen.size;
  const failing = run.machines.filter(({ troubledAt }) => troubledAt > batch.begunAt - RECOVERED_MS).length;
  const leavesAt = batch.leavesAt ?? Infinity;
  if (endedAt > leavesAt + LATE_MS) say(`went on ${Math.round(endedAt - leavesAt)} ms after its caller had gone`);
  if (missing > 0 && kind !== 'left' && resets === 0 && failing < LOSSES_MAX && run.steady(batch.begunAt))
    say(`${missing} addresses were not asked about, though a host was well all the time`);
  for (const [local, domain] of batch.addresses) {
    const askings = run.world.askings(`${local}@${domain}`);
    if (askings.length > 1 + LOSSES_MAX + resets) say(`one address was asked about ${askings.length} times`);
    const tooLate = askings.filter(({ by, atMs }) => atMs > leavesAt + CANCELLED_MS && wasUndisturbed(by, batch));
    if (tooLate.length > 0 && resets === 0) say('an address was asked about long after the caller had gone');
    const byWell = askings.filter(
      ({ by }) => by.troubledAt < batch.begunAt - RECOVERED_MS && !lostItsLastWord(by, batch),
    );
    if (byWell.length > 1 && resets === 0) say('an address was asked about twice by hosts that were well');
  }
  return [...new Set(faults)];
}

/** Neither the host nor its link had anything done to it that may cost the batch a frame. */
function wasUndisturbed(host: Machine, { begunAt }: Batch): boolean {
  return Math.max(host.troubledAt, host.resetAt) < begunAt - RECOVERED_MS;
}

/** A host that drains leaves with its last word: what a broken link loses then, nobody says again, and it is asked anew. */
function lostItsLastWord({ isDraining, resetAt }: Machine, { begunAt }: Batch): boolean {
  return isDraining && resetAt > begunAt;
}
