import {
  CLOSE,
  type JobFrame,
  LINK_VERSION,
  REPORT_BYTES_MAX,
  type ToEdge,
  toEdgeSchema,
} from '../../../schema/link.ts';
import { parseJson } from '../../../schema/parse-json.ts';
import type { FleetLimits } from '../batch/limits.ts';
import { REFUSED } from '../dial-in/refused-links.ts';
import type { Comparisons } from '../trust/comparisons.ts';
import type { HostRecords } from '../trust/host-records.ts';
import type { Clock, FleetServices } from '../trust/services.ts';
import { Allowance } from './allowance.ts';
import { batchOf, type Batches } from './batches.ts';
import type { HostNotes } from './host-notes.ts';
import type { Links } from './links.ts';
import type { RecentBatches } from './recent-batches.ts';
import type { UsedTokens } from './used-tokens.ts';

type Hello = Extract<ToEdge, { type: 'hello' }>;
type Who = { readonly host: string; readonly instance: string | null };

/** What the links of one Fleet object tell, and whom. */
type Around = {
  readonly clock: Clock;
  readonly limits: () => FleetLimits;
  readonly log: FleetServices['log'];
  readonly links: Links;
  readonly tokens: UsedTokens;
  readonly notes: HostNotes;
  readonly records: HostRecords;
  readonly batches: Batches;
  readonly comparisons: Comparisons;
  readonly recent: RecentBatches;
  readonly isSandbox: boolean;
  /** @returns what a host must know of this edge, as a token */
  readonly signSettings: (host: string, now: number) => Promise<string>;
  readonly waitUntil: (work: Promise<unknown>) => void;
};

/** What happens on the links of hosts: one dials in, says something, or is gone. */
export class LinkEvents {
  readonly #around: Around;
  readonly #allowance = new Allowance();
  readonly #dropped = { frames: 0, strays: 0 };

  constructor(around: Around) {
    this.#around = around;
  }

  /**
   * A host that has proven itself dials in.
   * @param token the name of the one that it showed
   * @returns false if it is not let in
   */
  dialled(socket: WebSocket, host: string, token: string, isDraining: boolean): boolean {
    const { clock, limits, links, tokens } = this.#around;
    const now = clock.now();
    const isFresh = tokens.use(host, token, now);
    const isIn = isFresh && links.accept(socket, host, isDraining, now);
    if (isIn)
      clock.after(limits().helloMs, () => {
        if (links.who(socket)?.instance === null) links.close(socket, CLOSE.hello);
      });
    else this.#refused(host, isFresh ? 'removed' : 'token');
    return isIn;
  }

  heard(socket: WebSocket, message: string | ArrayBuffer): void {
    const { clock, links } = this.#around;
    const who = links.who(socket);
    if (who === null) return;
    const now = clock.now();
    const news = this.#act(socket, who, readFrame(message), now);
    const length = typeof message === 'string' ? message.length : message.byteLength;
    if (this.#allowance.spend(who.host, { length, news }, now)) return;
    this.#refused(who.host, 'flood');
    links.cut(socket, CLOSE.flood);
  }

  /** @param code of the WebSocket; null: it broke. A host that closes in good order has finished */
  closed(socket: WebSocket, code: number | null): void {
    const { clock, links, log, notes } = this.#around;
    const who = links.who(socket);
    links.forget(socket);
    if (who === null) return;
    notes.seen(who.host, clock.now());
    // One that reconnected has a newer socket.
    if (who.instance !== null && links.processes.get(who.instance) === null) this.gone(who.instance, code === 1000);
    if (code !== null) log('info', 'host_gone', { host: who.host, code });
  }

  /** The link of a process is gone; `forGood`: it does not come back to its jobs. */
  gone(instance: string, forGood: boolean): void {
    const { batches, links } = this.#around;
    batches.hostGone(instance, links.processes.jobsOf(instance), forGood);
  }

  /** @returns how much the frame told that was not known */
  #act(socket: WebSocket, { host, instance }: Who, frame: ToEdge | null, now: number): number {
    const { batches, links, notes, records } = this.#around;
    if (frame === null || (instance === null) !== (frame.type === 'hello')) {
      this.#countDropped('frames', host);
      return instance === null ? this.#shutOut(socket, host, 'hello') : 0;
    }
    links.heard(socket, now);
    switch (frame.type) {
      case 'hello':
        return this.#welcome(socket, host, frame, now);
      case 'status': {
        const hasChanged = links.update(socket, frame);
        const process = links.processes.of(socket);
        if (process !== null) records.look([process]);
        if (hasChanged) batches.lookForHosts();
        return Number(hasChanged && this.#allowance.isNews(host, now));
      }
      case 'ack':
      case 'alive':
      case 'evidence':
      case 'done':
      case 'refuse':
        if (frame.type === 'refuse') notes.refused(host, `refused a job: ${frame.why}`, now);
        return this.#hearOfJob(host, instance ?? '', frame);
    }
  }

  #hearOfJob(host: string, instance: string, frame: JobFrame): number {
    const { batches, comparisons } = this.#around;
    const batchId = batchOf(frame.job);
    if (comparisons.has(batchId)) return Number(comparisons.hear(batchId, instance, frame));
    const batch = batches.get(batchId);
    if (batch !== null) return batch.hear(instance, frame);
    // Some are on their way whenever a batch ends early.
    this.#countDropped('strays', host);
    return 0;
  }

  #welcome(socket: WebSocket, host: string, hello: Hello, now: number): 0 {
    const { batches, clock, isSandbox, limits, links, log, notes, signSettings, waitUntil } = this.#around;
    if (hello.routes && !isSandbox) return this.#shutOut(socket, host, 'routes');
    const member = links.greet(socket, hello, now);
    if (member === null) return this.#shutOut(socket, host, 'instance');
    const { instance, startedAt, running, version } = hello;
    // Keys rotate and objects are added with a deploy, which resets this object: so each host hears of it at its hello.
    if (version !== undefined)
      waitUntil(
        signSettings(host, now).then((token) =>
          links.processes.send(instance, { v: LINK_VERSION, type: 'settings', token }),
        ),
      );
    log('info', 'host_joined', { host, running: running.length });
    if (notes.started(host, startedAt, now))
      log('warn', 'host_crashes', { host, why: 'it started five times in ten minutes' });
    batches.hostBack(member, [...running, ...links.processes.jobsOf(instance)]);
    batches.lookForHosts();
    clock.after(limits().unclaimedMs, () => {
      const process = links.processes.of(socket);
      if (process !== null) links.processes.disclaim(process, (job) => batches.get(batchOf(job)) !== null);
    });
    this.#allowance.tidy(now);
    return 0;
  }

  /** A host that goes wrong goes wrong often: one line for each doubling is enough. */
  #countDropped(what: 'frames' | 'strays', host: string): void {
    const { log } = this.#around;
    const count = (this.#dropped[what] += 1);
    if (!Number.isInteger(Math.log2(count))) return;
    if (what === 'frames') log('warn', 'frames_dropped', { host, count });
    else log('info', 'frames_of_no_batch', { host, count });
  }

  /** Before its hello counts. */
  #shutOut(socket: WebSocket, host: string, why: 'hello' | 'routes' | 'instance'): 0 {
    this.#refused(host, why);
    this.#around.links.close(socket, why === 'instance' ? CLOSE.hello : CLOSE[why]);
    return 0;
  }

  #refused(host: string, why: keyof typeof REFUSED): void {
    const { clock, log, notes } = this.#around;
    log('warn', 'host_refused', { host, why: REFUSED[why] });
    notes.refused(host, REFUSED[why], clock.now());
  }
}

function readFrame(message: string | ArrayBuffer): ToEdge | null {
  if (typeof message !== 'string' || message.length > REPORT_BYTES_MAX) return null;
  const parsed = toEdgeSchema.safeParse(parseJson(message));
  return parsed.success ? parsed.data : null;
}
