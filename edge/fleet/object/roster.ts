import { keepLatest } from '../../../schema/keep-latest.ts';
import type { ToHost } from '../../../schema/link.ts';
import type { HostState } from '../../../schema/words/stored.ts';
import type { ConnectedHost } from '../../base/fleet-protocol.ts';
import type { FleetLimits } from '../batch/limits.ts';
import type { Clock, HostPort, Log } from '../batch/services.ts';
import { CLOSED } from '../trust/circuit-breaker.ts';
import { eligible, type HostRef, type Member } from '../trust/host.ts';
import {
  afterAssignment,
  afterComparison,
  afterFailedJob,
  assignedLately,
  comparedSchema,
  complaint,
  type HostRecord,
  isAvoided,
  isLeftOut,
  NEW_COMPARED,
  NEW_RECORD,
  suspicion,
  works,
} from '../trust/host-record.ts';
import { type Receiver, receiverOf } from '../trust/receiver.ts';
import { type Asked, type Odd, oddAmong, type Said } from '../trust/rules.ts';
import { connectedHosts } from './connected-hosts.ts';
import { Links } from './links.ts';
import type { Process } from './processes.ts';

const PREFIX = 'compared:';
/** The operator names the hosts; beyond this many the least recently used is forgotten. */
const HOSTS_MAX = 1_000;

type Store = Pick<SyncKvStorage, 'list' | 'put' | 'delete'>;
type Runtime = ConstructorParameters<typeof Links>[0] & { readonly storage: { readonly kv: Store } };

/** The hosts of one Fleet object: their links, and their records. */
export class Roster implements HostPort {
  readonly links: Links;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #store: Store;
  /** By enrolment. */
  readonly #records = new Map<string, HostRecord>();

  /** @param runtime the object's sockets and storage */
  constructor(runtime: Runtime, limits: () => FleetLimits, clock: Clock, log: Log) {
    this.links = new Links(runtime, limits);
    this.#clock = clock;
    this.#log = log;
    this.#store = runtime.storage.kv;
    for (const [key, value] of this.#store.list({ prefix: PREFIX })) {
      const compared = comparedSchema.safeParse(value);
      if (compared.success) this.#records.set(key.slice(PREFIX.length), { ...NEW_RECORD, compared: compared.data });
    }
  }

  members(): readonly Member[] {
    const members = this.links.members(this.#clock.now());
    for (const process of members) this.#report(process);
    return members;
  }

  /** Addresses that the hosts that take jobs can run at once. */
  get slots(): number {
    return eligible(this.members()).reduce((sum, { slots }) => sum + slots, 0);
  }

  works(host: HostRef): boolean {
    const process = this.links.processes.known(host.instance);
    return process !== null && works(this.#of(host.host), process, this.#clock.now());
  }

  isAvoided({ host }: HostRef): boolean {
    return isAvoided(this.#of(host), this.#clock.now());
  }

  isLeftOut({ host }: HostRef, account: string): boolean {
    return isLeftOut(this.#of(host), receiverOf(account), this.#clock.now());
  }

  assignedTo({ host }: HostRef): number {
    return assignedLately(this.#of(host), this.#clock.now());
  }

  send(instance: string, frame: ToHost): boolean {
    return this.links.processes.send(instance, frame);
  }

  jobBegan({ host, instance }: HostRef, jobId: string, addresses: number): void {
    this.links.processes.jobBegan(instance, jobId, addresses);
    this.#keep(host, afterAssignment(this.#of(host), addresses, this.#clock.now()));
  }

  jobEnded({ instance }: HostRef, jobId: string): void {
    this.links.processes.jobEnded(instance, jobId);
  }

  reached({ instance }: HostRef): void {
    this.links.processes.reached(instance, this.#clock.now());
  }

  succeeded({ host }: HostRef): void {
    const record = this.#of(host);
    if (record.breaker === CLOSED) return;
    this.#keep(host, { ...record, breaker: CLOSED });
    this.members();
  }

  failed({ host }: HostRef, why: string): void {
    this.#keep(host, afterFailedJob(this.#of(host), why, this.#clock.now()));
    this.members();
  }

  hasDiffered(host: string): boolean {
    return this.#of(host).compared.odd.length > 0;
  }

  /** Several hosts were asked about one address. */
  compared(said: readonly Said[], { zone }: Receiver, account: string): void {
    const odd = oddAmong(said);
    const asked = { account: receiverOf(account), zone, silentAtMs: null };
    for (const { host } of said) this.#count(host, odd.get(host) ?? null, asked);
    this.members();
  }

  outdone({ host, instance }: HostRef, { zone }: Receiver, account: string, silentMs: number): void {
    const now = this.#clock.now();
    const isBusy = (this.links.processes.known(instance)?.reachedAtMs ?? -Infinity) > now - silentMs;
    this.#count(host, isBusy ? 'busy' : 'silent', { account: receiverOf(account), zone, silentAtMs: now });
    this.members();
  }

  /** Carries out an operator's order. Resuming a host restores trust in it. @returns processes that were cut off */
  order(host: string, state: HostState): readonly string[] {
    if (state !== 'draining') {
      this.#keep(host, { ...this.#of(host), compared: NEW_COMPARED, breaker: CLOSED });
      this.#store.delete(PREFIX + host);
    }
    return this.links.order(host, state, this.#clock.now());
  }

  /** Every connected host, as an operator sees it. */
  connected(): ConnectedHost[] {
    const hosts = connectedHosts(this.members(), (member) => complaint(this.#of(member.host), member));
    return hosts.map((host) => ({ ...host, why: host.why ?? suspicion(this.#of(host.id)) }));
  }

  /** The operator is told when a process becomes unhealthy and when it recovers. */
  #report(process: Process): void {
    const { host, told } = process;
    const why = complaint(this.#of(host), process);
    process.told = why;
    if (why !== null && told === null) this.#log('warn', 'host_unhealthy', { host, why });
    if (why === null && told !== null) this.#log('info', 'host_healthy', { host });
  }

  #of(host: string): HostRecord {
    return this.#records.get(host) ?? NEW_RECORD;
  }

  #count(host: string, how: Odd | null, asked: Asked): void {
    const before = suspicion(this.#of(host));
    const record = afterComparison(this.#of(host), how, asked);
    this.#keep(host, record);
    this.#store.put(PREFIX + host, record.compared);
    const why = suspicion(record);
    // One that is out is reported as unhealthy.
    if (why !== null && why !== before && !record.compared.isOut) this.#log('warn', 'host_suspect', { host, why });
  }

  #keep(host: string, record: HostRecord): void {
    const oldest = keepLatest(this.#records, host, record, HOSTS_MAX);
    if (oldest !== null) this.#store.delete(PREFIX + oldest);
  }
}
