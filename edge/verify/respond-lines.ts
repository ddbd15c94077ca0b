import { countReasons } from './analytics.ts';
import type { Slot } from './entries.ts';
import { type AddressEvidence, isFailure, judgeSlot, type Known, UNPROBED } from './judge.ts';
import { chargedOf } from './price.ts';
import { type Delivered, type Held, NOTHING_DELIVERED, writtenByMsOf } from './batch.ts';
import { countElements, hadTime, verificationFailed, type Deliver } from './respond.ts';
import type { Evidence } from '../../schema/evidence.ts';
import type { AddressIndex } from '../base/indexes.ts';
import { isTaken } from './taken.ts';

const utf8 = new TextEncoder();
/** A caller that disconnects in the middle has read fewer than this many lines without paying for them. */
const LINES_TOGETHER = 10;

/**
 * One element per line, each with its `index`, as soon as it is known; an element counts as delivered when it has been
 * read out of this Worker. The last line says what the batch cost: without it the answer is incomplete.
 *
 * The status waits for the first address about which something was learnt, so that a fleet that learns nothing is still
 * answered with 500.
 */
export const deliverLines: Deliver = async (batch, news, answer) => {
  const { call, entries } = batch;
  const known = new Map<AddressIndex, Evidence>();
  const stream = new ElementLines(batch);
  let fresh: AddressIndex[] = [];
  const add = (some: readonly AddressEvidence[]): void => {
    for (const { address, evidence } of some) {
      known.set(address, evidence);
      fresh.push(address);
    }
  };
  const flush = async (): Promise<boolean> => {
    const ready = fresh;
    fresh = [];
    return stream.write(ready, known);
  };
  try {
    for await (const some of news) {
      add(some);
      if (isFailure(entries, known)) continue;
      if (!stream.isOpen) answer(stream.open());
      if (!(await flush())) return stream.delivered;
    }
    if (call.request.signal.aborted) return stream.delivered;
    if (isFailure(entries, known) && hadTime(batch)) throw verificationFailed();
    const missing = entries.addresses.filter(({ index }) => !known.has(index));
    add(missing.map(({ index }) => ({ address: index, evidence: UNPROBED })));
    if (!stream.isOpen) answer(stream.open());
    if (await flush()) await stream.finish();
    return stream.delivered;
  } catch (error) {
    // The status may have been sent: then a broken stream is all that the caller sees.
    stream.breakOff();
    throw error;
  }
};

/** The lines of one answer, and what the elements written so far cost. */
class ElementLines {
  readonly #batch: Held;
  readonly #slotsOf: ReadonlyMap<AddressIndex, Slot[]>;
  /** Slots without an address, which go out first. */
  #others: Slot[] = [];
  #writer: WritableStreamDefaultWriter<Uint8Array> | null = null;
  #written = NOTHING_DELIVERED;

  constructor(batch: Held) {
    this.#batch = batch;
    this.#slotsOf = new Map(batch.entries.addresses.map(({ index }) => [index, []]));
    for (const slot of batch.entries.slots) {
      if (slot.kind === 'address') this.#slotsOf.get(slot.address)?.push(slot);
      else this.#others.push(slot);
    }
  }

  get isOpen(): boolean {
    return this.#writer !== null;
  }

  /** The part of the answer that was written. */
  get delivered(): Delivered {
    return this.#written;
  }

  open(): Response {
    const { readable, writable } = new IdentityTransformStream();
    this.#writer = writable.getWriter();
    return new Response(readable, { headers: { 'content-type': 'application/x-ndjson' } });
  }

  /** Writes the elements of these addresses, a few at a time. Returns whether the caller took them all. */
  async write(addresses: readonly AddressIndex[], known: Known): Promise<boolean> {
    const ready = [...this.#others, ...addresses.flatMap((address) => this.#slotsOf.get(address) ?? [])];
    this.#others = [];
    for (let from = 0; from < ready.length; from += LINES_TOGETHER)
      if (!(await this.#writeSome(ready.slice(from, from + LINES_TOGETHER), known))) return false;
    return true;
  }

  /** A partly read write counts as not read. */
  async #writeSome(slots: readonly Slot[], known: Known): Promise<boolean> {
    const elements = slots.map((slot) => judgeSlot(slot, known));
    const lines = elements.map((element, nth) => JSON.stringify({ index: slots[nth]?.index, ...element }));
    if (!(await this.#send(`${lines.join('\n')}\n`))) return false;
    this.#written = {
      ...this.#written,
      charged: [...this.#written.charged, ...chargedOf(slots, known, this.#batch.due)],
      counts: countElements(elements, this.#written.counts),
      reasons: countReasons(elements, this.#written.reasons),
    };
    return true;
  }

  /** The unsent rest of the answer will never be sent. */
  breakOff(): void {
    this.#writer?.abort().catch(() => {});
  }

  async finish(): Promise<void> {
    const charged = this.#written.charged.length;
    const last = { done: true, charged, returned: this.#batch.due.size - charged };
    if (!(await this.#send(`${JSON.stringify(last)}\n`))) return;
    this.#written = { ...this.#written, isWhole: true };
    await this.#writer?.close().catch(() => {});
  }

  /** A write that is not taken breaks off the answer. */
  async #send(text: string): Promise<boolean> {
    if (this.#writer === null) return false;
    const { call } = this.#batch;
    const done = await isTaken(this.#writer.write(utf8.encode(text)), writtenByMsOf(call), call.request.signal);
    if (!done) this.breakOff();
    return done;
  }
}
