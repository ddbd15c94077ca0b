import {
  CLOSE,
  type JobFrame,
  LINK_VERSION,
  REPORT_BYTES_MAX,
  type ToEdge,
  toEdgeSchema,
} from '../../../schema/link.ts';
import { parseJson } from '../../../schema/parse-json.ts';
import { CRASHES } from '../../../schema/words/fleet-troubles.ts';
import type { FleetServices } from '../batch/services.ts';
import { REFUSED } from '../dial-in/refused-links.ts';
import { Allowance } from './allowance.ts';
import type { Batches } from './batches.ts';
import type { HostNotes } from './host-notes.ts';
import type { Roster } from './roster.ts';

const v = LINK_VERSION;

type Hello = Extract<ToEdge, { type: 'hello' }>;
type Who = { readonly host: string; readonly instance: string | null };

/** What a host is told, and what it is bounded by. */
type Settings = {
  readonly isSandbox: boolean;
  /** @returns what a host must know of this edge, as a token */
  readonly signSettings: (host: string, now: number) => Promise<string>;
  readonly waitUntil: (work: Promise<unknown>) => void;
};

/** The events on the links of hosts: one dials in, sends a frame, or is gone. */
export class LinkEvents {
  readonly #services: FleetServices;
  readonly #roster: Roster;
  readonly #batches: Batches;
  readonly #notes: HostNotes;
  readonly #settings: Settings;
  readonly #allowance = new Allowance();
  readonly #dropped = { frames: 0, strays: 0 };

  constructor(services: FleetServices, roster: Roster, batches: Batches, notes: HostNotes, settings: Settings) {
    this.#services = services;
    this.#roster = roster;
    this.#batches = batches;
    this.#notes = notes;
    this.#settings = settings;
    roster.links.onCut = ({ host, instance, heardAt }, code) => {
      notes.seen(host, heardAt);
      this.gone(instance, false);
      services.log('info', 'host_gone', { host, code });
    };
  }

  /** An authenticated host dials in. @returns false if it is not let in */
  dialled(socket: WebSocket, host: string, isDraining: boolean): boolean {
    const { clock, limits } = this.#services;
    const { links } = this.#roster;
    const isIn = links.accept(socket, host, isDraining, clock.now());
    if (isIn)
      clock.after(limits().helloMs, () => {
        if (links.who(socket)?.instance === null) links.close(socket, CLOSE.hello);
      });
    else this.#refused(host, 'removed');
    return isIn;
  }

  heard(socket: WebSocket, message: string | ArrayBuffer): void {
    const { links } = this.#roster;
    const who = links.who(socket);
    if (who === null) return;
    const now = this.#services.clock.now();
    const length = typeof message === 'string' ? message.length : message.byteLength;
    if (this.#allowance.spend(who.host, length, now)) return this.#act(socket, who, readFrame(message), now);
    this.#refused(who.host, 'flood');
    links.cut(socket, CLOSE.flood);
  }

  /** @param code of the WebSocket; null: it broke. A host that closes in good order is done */
  closed(socket: WebSocket, code: number | null): void {
    const { clock, log } = this.#services;
    const { links } = this.#roster;
    const who = links.who(socket);
    links.forget(socket);
    if (who === null) return;
    this.#notes.seen(who.host, clock.now());
    // A process that reconnected has a newer socket.
    if (who.instance !== null && links.processes.get(who.instance) === null) this.gone(who.instance, code === 1000);
    if (code !== null) log('info', 'host_gone', { host: who.host, code });
  }

  /** The link of a process is gone; `forGood`: it will not return to its jobs. */
  gone(instance: string, forGood: boolean): void {
    this.#batches.hostGone(instance, this.#roster.links.processes.jobsOf(instance), forGood);
  }

  #act(socket: WebSocket, { host, instance }: Who, frame: ToEdge | null, now: number): void {
    const { links } = this.#roster;
    if (frame === null || (instance === null) !== (frame.type === 'hello')) {
      this.#countDropped('frames', host);
      if (instance === null) this.#shutOut(socket, host, 'hello');
      return;
    }
    links.heard(socket, now);
    switch (frame.type) {
      case 'hello':
        return this.#welcome(socket, host, frame, now);
      case 'status':
        if (links.update(socket, frame)) this.#batches.lookForHosts();
        this.#roster.members();
        return;
      case 'refuse':
        this.#notes.refused(host, `refused a job: ${frame.why}`, now);
        return this.#hearOfJob(host, instance ?? '', frame);
      case 'ack':
      case 'alive':
      case 'evidence':
      case 'done':
        return this.#hearOfJob(host, instance ?? '', frame);
    }
  }

  #hearOfJob(host: string, instance: string, frame: JobFrame): void {
    const batch = this.#batches.of(frame.job);
    // Some are in transit whenever a batch ends early.
    if (batch === null) this.#countDropped('strays', host);
    else batch.hear(instance, frame);
  }

  #welcome(socket: WebSocket, host: string, hello: Hello, now: number): void {
    const { log } = this.#services;
    const { links } = this.#roster;
    const { isSandbox, signSettings, waitUntil } = this.#settings;
    if (hello.routes && !isSandbox) return this.#shutOut(socket, host, 'routes');
    const member = links.greet(socket, hello, now);
    if (member === null) return this.#shutOut(socket, host, 'instance');
    const { instance, startedAt, running } = hello;
    // Keys rotate and objects are added with a deploy, which resets this object: so each host learns of it at its
    // hello.
    waitUntil(signSettings(host, now).then((token) => this.#roster.send(instance, { v, type: 'settings', token })));
    log('info', 'host_joined', { host, running: running.length });
    if (this.#notes.started(host, startedAt, now)) log('warn', 'host_crashes', { host, why: CRASHES });
    this.#batches.hostBack(member, links.processes.jobsOf(instance), running);
    // From a batch that has ended, or from an earlier object: its result is not wanted.
    for (const job of running)
      if (this.#batches.of(job)?.has(job, instance) !== true) this.#roster.send(instance, { v, type: 'cancel', job });
    this.#batches.lookForHosts();
    this.#allowance.tidy(now);
  }

  /** A host that misbehaves does so often: one line for each doubling is enough. */
  #countDropped(what: 'frames' | 'strays', host: string): void {
    const { log } = this.#services;
    const count = (this.#dropped[what] += 1);
    if (!Number.isInteger(Math.log2(count))) return;
    if (what === 'frames') log('warn', 'frames_dropped', { host, count });
    else log('info', 'frames_of_no_batch', { host, count });
  }

  /** Refuses it before its hello takes effect. */
  #shutOut(socket: WebSocket, host: string, why: 'hello' | 'routes' | 'instance'): void {
    this.#refused(host, why);
    this.#roster.links.close(socket, why === 'instance' ? CLOSE.hello : CLOSE[why]);
  }

  #refused(host: string, why: keyof typeof REFUSED): void {
    const { clock, log } = this.#services;
    log('warn', 'host_refused', { host, why: REFUSED[why] });
    this.#notes.refused(host, REFUSED[why], clock.now());
  }
}

function readFrame(message: string | ArrayBuffer): ToEdge | null {
  if (typeof message !== 'string' || message.length > REPORT_BYTES_MAX) return null;
  const parsed = toEdgeSchema.safeParse(parseJson(message));
  return parsed.success ? parsed.data : null;
}
