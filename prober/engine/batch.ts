import type { Evidence, Outcome } from '../../schema/evidence.ts';
import { parseAddress } from '../../schema/address.ts';
import { classifyFor } from './meaning/classify.ts';
import { isAscii } from './smtp/wire/command.ts';
import { probeDomain } from './domain.ts';
import { type BatchJob, DomainProbe } from './attempt/domain-probe.ts';
import { type ClientContext, createContext } from './site/client-context.ts';
import type { Classify } from './meaning/outcome.ts';
import { Lane, Lanes } from './ports/lane.ts';
import type { Account, DrawsFor, Ports, Recipient } from './ports/ports.ts';
import type { EngineSettings } from './ports/settings.ts';
import { createRecipientProbe, type RecipientProbe } from './recipients/recipient.ts';
import type { Failures } from './site/open.ts';
import { Sites } from './site/sites.ts';

/** What an address reveals by itself; the engine passes it through so that evidence is complete. */
export type SignalsOf = (recipient: Recipient) => Evidence['signals'];

export type ProbeBatch = {
  /** The account of the batch: bounded resources are shared out in turn by account. */
  readonly account: Account;
  readonly recipients: readonly Recipient[];
  /** Fires at the batch's deadline or when the caller disconnects: work stops and sockets are freed. */
  readonly signal: AbortSignal;
  /** When the batch must be answered, in the clock's milliseconds. */
  readonly deadlineMs: number;
  /** For a batch of one domain: its lane, of those that the caller shares out among its batches. */
  readonly lane?: Lane;
  /** For a part of a request: what its other parts met. */
  readonly failures?: Failures;
  /** Absent: made-up mailboxes have other names each time. */
  readonly draws?: DrawsFor;
  /** Called once per recipient, as soon as its evidence is known; recipients not reached get `unprobed`. */
  readonly report: (index: number, evidence: Evidence) => void;
};

/** Holds what outlives a batch: the connection limits and sessions. */
export type Engine = {
  probe(batch: ProbeBatch): Promise<void>;
  /** Idle sessions outlive their batch by some seconds. This ends them now. */
  endIdle(): void;
  /** The load that a host reports: how many dialled addresses are in cool-down now, at any of its egress addresses. */
  cooling(): number;
};

type Asked = Pick<DomainProbe, 'mx' | 'mxFound'>;
type Group = { readonly name: string; readonly isAddress: boolean; readonly recipients: RecipientProbe[] };

/** Throws if a route is not an address range. @param classify another one in tests of the dialogue alone */
export function createEngine(
  ports: Ports,
  settings: EngineSettings,
  signalsOf: SignalsOf,
  classify: Classify = classifyFor(settings.mailFrom),
): Engine {
  const context = createContext(ports, settings, classify);
  const sites = new Sites(context);
  return {
    probe: (batch) => new BatchRun(context, sites, signalsOf, batch).run(),
    endIdle: () => sites.endIdle(),
    cooling: () => context.limits.cooling(),
  };
}

/** One batch: its domains, as many at a time as there are lanes. Each recipient is reported, even after a bug. */
class BatchRun {
  readonly #context: ClientContext;
  readonly #signalsOf: SignalsOf;
  readonly #batch: ProbeBatch;
  readonly #job: BatchJob;
  #ended = false;
  /** An array: a set keeps deleted entries alive in its old table. */
  readonly #underWay: DomainProbe[] = [];
  readonly #reported: boolean[] = [];

  constructor(context: ClientContext, sites: Sites, signalsOf: SignalsOf, batch: ProbeBatch) {
    this.#context = context;
    this.#signalsOf = signalsOf;
    this.#batch = batch;
    this.#job = {
      account: batch.account,
      deadlineMs: batch.deadlineMs,
      failures: batch.failures ?? new Map(),
      draws: batch.draws,
      resolve: context.ports.resolveFor(batch.account),
      sites,
      report: ({ indexes }, outcome, asked) => {
        for (const index of indexes) this.#report(index, outcome, asked);
      },
    };
  }

  async run(): Promise<void> {
    const { signal, deadlineMs, recipients } = this.#batch;
    const { clock } = this.#context.ports;
    const domains = this.#group();
    const disarm = clock.after(Math.max(0, deadlineMs - clock.now()), this.#end);
    if (signal.aborted || deadlineMs <= clock.now()) this.#end();
    else signal.addEventListener('abort', this.#end, { once: true });
    await new Promise<void>((done) => this.#probeAll(domains, done));
    disarm();
    signal.removeEventListener('abort', this.#end);
    for (const index of recipients.keys()) this.#report(index, UNREACHED, NOBODY_ASKED);
  }

  readonly #end = (): void => {
    this.#ended = true;
    for (const { signal } of this.#underWay.slice()) signal.cancel();
  };

  #probeAll(domains: Group[], done: () => void): void {
    const goOn = (): void => {
      while (lanes.free > 0 && !this.#ended) {
        const domain = domains.pop();
        if (domain === undefined) break;
        void this.#probe(domain, this.#batch.lane ?? new Lane(lanes)).then(goOn);
      }
      if (this.#underWay.length === 0 && (this.#ended || domains.length === 0)) done();
    };
    const lanes = new Lanes(this.#context.settings.lanes, goOn);
    goOn();
  }

  /** Recipients by domain. One that the parser rejects never gets further: its bytes must not reach the wire. */
  #group(): Group[] {
    const domains = new Map<string, Group>();
    const probes = new Map<string, RecipientProbe>();
    for (const [index, { local, domain }] of this.#batch.recipients.entries()) {
      const address = parseAddress(`${local}@${domain}`);
      if (address === null) {
        this.#report(index, REFUSED_HERE, NOBODY_ASKED);
        continue;
      }
      const known = probes.get(address.identity);
      if (known !== undefined) {
        known.indexes.push(index);
        continue;
      }
      const probe = createRecipientProbe(address.local, !isAscii(address.local), index);
      probes.set(address.identity, probe);
      const group = domains.get(address.domain);
      if (group !== undefined) group.recipients.push(probe);
      else
        domains.set(address.domain, {
          name: address.domain,
          isAddress: address.domainKind === 'address',
          recipients: [probe],
        });
    }
    return [...domains.values()].toReversed();
  }

  /** A bug in one domain only costs that domain's recipients. */
  async #probe(domain: Group, lane: Lane): Promise<void> {
    const probe = new DomainProbe(this.#context, this.#job, domain, lane);
    this.#underWay.push(probe);
    try {
      if (domain.isAddress) probe.conclude({ kind: 'no_mail_domain', why: 'address_literal' });
      else await probeDomain(probe);
    } catch (error) {
      this.#context.settings.onBug?.(error);
      for (const recipient of domain.recipients) this.#job.report(recipient, REFUSED_HERE, probe);
    } finally {
      this.#underWay.splice(this.#underWay.indexOf(probe), 1);
      lane.leave();
    }
  }

  #report(index: number, outcome: Outcome, { mx, mxFound }: Asked): void {
    if (this.#reported[index] === true) return;
    const recipient = this.#batch.recipients[index];
    if (recipient === undefined) return;
    this.#reported[index] = true;
    const signals = this.#signals(recipient);
    try {
      this.#batch.report(index, { mx: [...mx], mxFound, signals, outcome });
    } catch (error) {
      this.#context.settings.onBug?.(error);
    }
  }

  /** Signals are extra: without them the evidence still counts. */
  #signals(recipient: Recipient): Evidence['signals'] {
    try {
      return this.#signalsOf(recipient);
    } catch (error) {
      this.#context.settings.onBug?.(error);
      return NO_SIGNALS;
    }
  }
}

const NOBODY_ASKED: Asked = { mx: [], mxFound: false };
const NO_SIGNALS: Evidence['signals'] = { disposable: false, free: false, role: false, typoOf: null };

const UNREACHED: Outcome = { kind: 'unprobed', why: 'deadline', waitS: null };
const REFUSED_HERE: Outcome = { kind: 'unprobed', why: 'host', waitS: null };
