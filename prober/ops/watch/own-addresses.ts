import type { EgressTrouble } from '../../../schema/link.ts';
import type { Log } from '../../base/log.ts';
import type { Clock } from '../../engine/ports/ports.ts';
import type { Egress } from '../../engine/ports/settings.ts';
import { judgeIp } from '../../engine/targets/routable.ts';
import type { Names } from '../../node/resolve.ts';
import { BLOCK_LISTS, checkBlockLists } from '../audit/block-lists.ts';
import type { Finding } from '../audit/findings.ts';
import { checkReverseName } from '../audit/reverse-name.ts';

const EVERY_MS = 3_600_000;
const WITHIN_MS = 30_000;

/** What an hour's look found about an address, by its place among ours. `reverse`: null if no resolver said. */
export type OwnAddress = {
  readonly egress: number;
  readonly lists: ReadonlyArray<{ readonly zone: string; readonly state: Finding['state'] }>;
  readonly reverse: boolean | null;
};

type Watch = {
  readonly egress: readonly Egress[];
  readonly names: Names;
  readonly clock: Clock;
  readonly log: Log;
  /** Whatever was found, changed or not. */
  readonly onLook: (found: OwnAddress) => void;
  readonly onChange: () => void;
};

/** Knows how the world sees our declared addresses: block lists and reverse names, checked each hour. */
export class OwnAddresses {
  readonly #watch: Watch;
  /** What is not known keeps what was last known. */
  readonly #troubles = new Map<string, EgressTrouble>();

  constructor(watch: Watch) {
    this.#watch = watch;
  }

  get troubles(): readonly EgressTrouble[] {
    return [...this.#troubles.values()];
  }

  /** Looks now and every hour. */
  async start(): Promise<void> {
    const { egress, clock } = this.#watch;
    await Promise.all(egress.map((one, place) => this.#look(one, place)));
    clock.after(EVERY_MS, () => void this.start());
  }

  async #look({ ip, heloName }: Egress, egress: number): Promise<void> {
    // The world does not see private ones.
    if (ip === null || judgeIp(ip)?.isRoutable !== true) return;
    const { names, onLook, onChange } = this.#watch;
    const signal = AbortSignal.timeout(WITHIN_MS);
    const [listed, named] = await Promise.all([
      checkBlockLists(names, ip, signal),
      checkReverseName(names, ip, heloName, signal),
    ]);
    const lists = BLOCK_LISTS.map(({ zone }, at) => ({ zone, state: listed[at]?.state ?? 'unknown' }));
    const reverse = named.some(({ state }) => state === 'unknown') ? null : named.every(({ state }) => state === 'ok');
    onLook({ egress, lists, reverse });
    const before = this.#troubles.size;
    const changed = [
      ...lists.map(({ zone, state }) =>
        this.#know(
          { egress, what: 'listed', list: zone.replaceAll('.', '-') },
          state === 'unknown' ? null : state !== 'ok',
        ),
      ),
      this.#know({ egress, what: 'reverse_name', list: null }, reverse === null ? null : !reverse),
    ];
    if (changed.includes(true) || before !== this.#troubles.size) onChange();
  }

  /** @param is null: it is not known. @returns whether that is news */
  #know(trouble: EgressTrouble, is: boolean | null): boolean {
    const key = JSON.stringify(trouble);
    if (is === null || is === this.#troubles.has(key)) return false;
    if (is) this.#troubles.set(key, trouble);
    else this.#troubles.delete(key);
    if (is) this.#watch.log('egress_trouble', { ...trouble, list: trouble.list ?? undefined });
    return true;
  }
}
