import { countReasons } from './analytics.ts';
import type { Slot } from './entries.ts';
import { type AddressEvidence, isFailure, judgeSlot, type Known, UNPROBED } from './judge.ts';
import { costOf } from './price.ts';
import {
  countElements,
  hadTime,
  NOTHING_DELIVERED,
  verificationFailed,
  type Deliver,
  type Delivered,
  type Delivery,
} from './respond.ts';
import type { Evidence } from '../../schema/evidence.ts';
import type { AddressIndex } from '../base/indexes.ts';

const utf8 = new TextEncoder();

/**
 * One element a line, each with its `index`, as soon as it is known; an element is delivered when it is written. The
 * last line says what the batch cost: without it the answer is incomplete.
 *
 * The status waits for the first address of which something was learnt, so that a fleet that learns nothing is still
 * answered with 500.
 */
export const deliverLines: Deliver = async (delivery, answer) => {
  const { entries, credits } = delivery;
  const known = new Map<AddressIndex, Evidence>();
  const stream = new ElementLines(delivery);
  let fresh: AddressIndex[] = [];
  const add = (news: readonly AddressEvidence[]): void => {
    for (const { address, evidence } of news) {
      known.set(address, evidence);
      fresh.push(address);
    }
  };
  const flush = async (): Promise<boolean> => {
    const ready = fresh;
    fresh = [];
    return stream.write(ready, known);
  };
  for await (const news of delivery.news) {
    add(news);
    if (isFailure(entries, known)) continue;
    if (!stream.isOpen) answer(stream.open());
    if (!(await flush())) return stream.delivered;
  }
  if (delivery.gone.aborted) return stream.delivered;
  if (isFailure(entries, known) && hadTime(delivery)) throw verificationFailed();
  const missing = entries.addresses.filter(({ index }) => !known.has(index));
  add(missing.map(({ index }) => ({ address: index, evidence: UNPROBED })));
  if (!stream.isOpen) answer(stream.open());
  if (await flush()) await stream.finish(credits);
  return stream.delivered;
};

/** The lines of one answer, and what the elements written so far cost. */
class ElementLines {
  readonly #delivery: Delivery;
  readonly #slotsOf: ReadonlyMap<AddressIndex, Slot[]>;
  /** Slots without an address, which go out first. */
  #others: Slot[] = [];
  #writer: WritableStreamDefaultWriter<Uint8Array> | null = null;
  #written = NOTHING_DELIVERED;

  constructor(delivery: Delivery) {
    this.#delivery = delivery;
    this.#slotsOf = new Map(delivery.entries.addresses.map(({ index }) => [index, []]));
    for (const slot of delivery.entries.slots) {
      if (slot.kind === 'address') this.#slotsOf.get(slot.address)?.push(slot);
      else this.#others.push(slot);
    }
  }

  get isOpen(): boolean {
    return this.#writer !== null;
  }

  /** What of the answer was written. */
  get delivered(): Delivered {
    return this.#written;
  }

  open(): Response {
    const { readable, writable } = new IdentityTransformStream();
    this.#writer = writable.getWriter();
    return new Response(readable, { headers: { 'content-type': 'application/x-ndjson' } });
  }

  /** Writes the elements of these addresses, all or none. Returns whether the caller took them. */
  async write(addresses: readonly AddressIndex[], known: Known): Promise<boolean> {
    const { charge } = this.#delivery;
    const ready = [...this.#others, ...addresses.flatMap((address) => this.#slotsOf.get(address) ?? [])];
    if (ready.length === 0) return true;
    const elements = ready.map((slot) => judgeSlot(slot, known));
    const lines = elements.map((element, nth) => JSON.stringify({ index: ready[nth]?.index, ...element }));
    if (!(await this.#send(`${lines.join('\n')}\n`))) return false;
    this.#others = [];
    this.#written = {
      cost: this.#written.cost + costOf(ready, known, charge),
      counts: countElements(elements, this.#written.counts),
      reasons: countReasons(elements, this.#written.reasons),
    };
    return true;
  }

  async finish(credits: number): Promise<void> {
    const { cost } = this.#written;
    const last = { done: true, charged: cost, returned: credits - cost };
    if (await this.#send(`${JSON.stringify(last)}\n`)) await this.#writer?.close().catch(() => {});
  }

  /** A write is done when the runtime took the bytes; one that nobody takes is given up when the batch's time is over. */
  async #send(text: string): Promise<boolean> {
    const writer = this.#writer;
    if (writer === null) return false;
    const { promise: stopped, resolve } = Promise.withResolvers<boolean>();
    const stop = (): void => resolve(false);
    const { gone, writtenByMs } = this.#delivery;
    const timer = setTimeout(stop, writtenByMs - Date.now());
    gone.addEventListener('abort', stop);
    const taken = writer.write(utf8.encode(text)).then(
      () => true,
      () => false,
    );
    const done = !gone.aborted && (await Promise.race([taken, stopped]));
    clearTimeout(timer);
    gone.removeEventListener('abort', stop);
    if (!done) writer.abort().catch(() => {});
    return done;
  }
}
