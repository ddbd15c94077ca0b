import { keepLatest } from '../../../schema/keep-latest.ts';
import { saidInWords } from '../../../schema/words/differences.ts';
import type { Difference, Witness } from '../../base/fleet-protocol.ts';
import type { LogFields } from '../../base/log-fields.ts';
import {
  afterComparison,
  differencesOf,
  type HostTally,
  hostTallySchema,
  newTally,
  saidOf,
  type Compared,
} from './host-tally.ts';
import { receiverOf } from './receiver.ts';

// Which hosts differ from their peers. It outlives the object, because it takes a day to know.

const PREFIX = 'tally:';
/** Hosts are the operator's to name; beyond this the one compared longest ago is forgotten. */
const HOSTS_MAX = 200;
/** What outlives the object. */
type TallyStore = Pick<SyncKvStorage, 'list' | 'put' | 'delete'>;
type Log = (level: 'info' | 'warn', event: string, fields: LogFields) => void;

export class Differences {
  readonly #store: TallyStore;
  readonly #now: () => number;
  readonly #log: Log;
  /** The one compared last at the end. */
  readonly #tallies = new Map<string, HostTally>();

  constructor(store: TallyStore, now: () => number, log: Log) {
    this.#store = store;
    this.#now = now;
    this.#log = log;
    for (const [key, value] of store.list({ prefix: PREFIX })) {
      const tally = hostTallySchema.safeParse(value);
      if (tally.success) this.#tallies.set(key.slice(PREFIX.length), tally.data);
    }
  }

  /** What came of one address, for each host that said something firm of it. @param account whose address it was */
  record(group: string, compared: ReadonlyMap<string, Compared>, account: string): void {
    const now = this.#now();
    const number = receiverOf(account);
    for (const [host, one] of compared) {
      const tally = this.#tallies.get(host) ?? newTally(now);
      this.#keep(host, afterComparison(tally, group, one, number, now));
    }
    for (const host of compared.keys()) this.#judge(host);
  }

  /** The providers at which a host differs from its peers. */
  of(host: string): readonly Difference[] {
    const tally = this.#tallies.get(host);
    if (tally === undefined) return [];
    const peers = [...this.#tallies].flatMap(([name, other]) => (name === host ? [] : [other]));
    return differencesOf(tally, peers, this.#now()).map((difference) => ({
      ...difference,
      said: this.#saidAt(difference.provider),
    }));
  }

  /** What each host said there: what speaks for it, and against it. */
  #saidAt(provider: string): readonly Witness[] {
    return [...this.#tallies].flatMap(([host, tally]) => {
      const { accepts, refuses, no_mail: noMail } = saidOf(tally, provider, this.#now());
      return accepts + refuses + noMail === 0 ? [] : [{ host, accepts, refuses, noMail }];
    });
  }

  /** The operator hears of it once. */
  #judge(host: string): void {
    const tally = this.#tallies.get(host);
    if (tally === undefined) return;
    const differences = this.of(host);
    const named = differences.map(({ provider }) => provider);
    for (const { said, ...difference } of differences)
      if (!tally.named.includes(difference.provider))
        this.#log('warn', 'host_differs', { host, ...difference, said: saidInWords(said) });
    if (named.join() !== tally.named.join()) this.#keep(host, { ...tally, named });
  }

  #keep(host: string, tally: HostTally): void {
    const oldest = keepLatest(this.#tallies, host, tally, HOSTS_MAX);
    this.#store.put(PREFIX + host, tally);
    if (oldest !== null) this.#store.delete(PREFIX + oldest);
  }
}
