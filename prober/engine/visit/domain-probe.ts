import type { Outcome } from '../../../schema/evidence.ts';
import type { Classify } from '../meaning/outcome.ts';
import type { Templates } from '../meaning/templates.ts';
import type { Pace } from '../pace/pace.ts';
import type { Ports } from '../ports/ports.ts';
import { providerOf } from '../providers/provider.ts';
import { further } from './further.ts';
import type { EngineSettings } from '../ports/settings.ts';
import type { Slot } from './slot.ts';
import type { Gate, Target } from '../targets/targets.ts';

/** What all batches of an engine share. */
export type Tools = {
  readonly ports: Ports;
  readonly settings: EngineSettings;
  readonly pace: Pace;
  readonly gate: Gate;
  readonly classify: Classify;
  /** Counts the replies that it cannot explain. */
  readonly unknown: Templates;
  /** The next session's number, for the trace. */
  readonly nextSession: () => number;
};

export type DomainJob = {
  readonly domain: string;
  readonly slots: readonly Slot[];
  /** Fires when the batch ends. */
  readonly signal: AbortSignal;
  readonly deadlineMs: number;
  readonly report: (slot: Slot, outcome: Outcome, mx: readonly string[], mxFound: boolean) => void;
};

/**
 * What is known of one domain in one batch. Evidence about its servers is kept once and becomes the evidence of every
 * recipient that got none of its own that reached further.
 */
export class DomainProbe {
  readonly tools: Tools;
  readonly #job: DomainJob;
  mx: readonly string[] = [];
  mxFound = false;
  #best: Outcome | null = null;
  #coolingS: number | null = null;
  #noRoute = false;
  readonly #spoken = new Set<string>();
  readonly #greeted = new Set<string>();
  readonly #smtpUtf8 = new Map<string, boolean>();

  constructor(tools: Tools, job: DomainJob) {
    this.tools = tools;
    this.#job = job;
  }

  get domain(): string {
    return this.#job.domain;
  }

  get signal(): AbortSignal {
    return this.#job.signal;
  }

  get deadlineMs(): number {
    return this.#job.deadlineMs;
  }

  get ended(): boolean {
    return this.#job.signal.aborted;
  }

  /** A server of the domain said 220. */
  get greeted(): boolean {
    return this.#greeted.size > 0;
  }

  /** There is evidence about the domain's servers: at least one was dialled. */
  get tried(): boolean {
    return this.#best !== null;
  }

  /** Recipients without a verdict. */
  open(): Slot[] {
    return this.#job.slots.filter((slot) => slot.state === 'open');
  }

  /** The pace is kept by who runs the host. */
  providerOf(target: Target): string {
    return providerOf(target.host);
  }

  /** Reports a recipient. Once only: whatever comes later changes nothing. */
  settle(slot: Slot, outcome: Outcome): void {
    if (slot.state === 'settled') return;
    slot.state = 'settled';
    this.#job.report(slot, outcome, this.mx, this.mxFound);
  }

  /** Evidence about the domain's servers, not about one recipient. */
  noteDomain(outcome: Outcome): void {
    this.#best = further(this.#best, outcome);
  }

  /** A provider cools down past the deadline; the shortest wait is told. */
  noteCooling(waitS: number): void {
    this.#coolingS = Math.min(this.#coolingS ?? Infinity, waitS);
  }

  /** This host has no way to an address: that is no evidence about the domain. */
  noteNoRoute(): void {
    this.#noRoute = true;
  }

  /** The host sent a reply of any kind: it is reachable. */
  noteSpoken(host: string): void {
    this.#spoken.add(host);
  }

  noteGreeted(host: string): void {
    this.#greeted.add(host);
  }

  noteSmtpUtf8(host: string, offered: boolean): void {
    this.#smtpUtf8.set(host, offered || this.#smtpUtf8.get(host) === true);
  }

  /** Reports all that is left, by the best that is known. `verdict`: what holds for the whole domain, where DNS or silence says it. */
  conclude(verdict: Outcome | null): void {
    for (const slot of this.open()) this.settle(slot, verdict ?? this.#conclusion(slot));
  }

  #conclusion(slot: Slot): Outcome {
    const { relay } = slot;
    if (relay !== null && [...this.#spoken].every((host) => relay.hosts.has(host)))
      return { kind: 'no_such_mailbox', reply: relay.reply };
    if (slot.utf8 && this.#nobodyOffersSmtpUtf8()) return { kind: 'no_smtputf8' };
    const denied: Outcome | null = relay === null ? null : { kind: 'unexpected_code', reply: relay.reply };
    return further(further(slot.best, denied), this.#best) ?? this.#unprobed();
  }

  /** Every host that greeted told what it offers, and none SMTPUTF8. */
  #nobodyOffersSmtpUtf8(): boolean {
    return this.greeted && [...this.#greeted].every((host) => this.#smtpUtf8.get(host) === false);
  }

  #unprobed(): Outcome {
    if (this.#coolingS !== null) return { kind: 'unprobed', why: 'cooldown', waitS: Math.min(86_400, this.#coolingS) };
    if (this.#noRoute && !this.ended) return { kind: 'unprobed', why: 'host', waitS: null };
    return { kind: 'unprobed', why: 'deadline', waitS: null };
  }
}
