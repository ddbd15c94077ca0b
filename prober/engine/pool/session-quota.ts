/** Sessions of one account at one address beyond which a domain waits for one that gets free. */
const SESSIONS_MAX = 8;
/** Once this many sessions failed after they had served some domains, the next ones serve no more than these. One may be chance. */
const FAILURES_MIN = 2;

/** Which session a domain asks for: one that may have served others, or none that others were asked about in before. */
export type Use = 'shared' | 'own';

/** How many sessions one account may have at one address, and how many domains each of them may serve. */
export class SessionQuota {
  /** Connections at once that the limits allow and the server bears: beyond these only one that gets free will do, however long it takes. */
  #connectionsMax: number;
  /** Sessions that stand or are being opened. */
  #sessions = 0;
  /** How many domains the sessions had served that failed the next one, ascending. */
  #failedAfter: readonly number[] = [];

  constructor(connectionsMax: number) {
    this.#connectionsMax = connectionsMax;
  }

  get isUnused(): boolean {
    return this.#sessions === 0;
  }

  get hasConnectionLeft(): boolean {
    return this.#sessions < this.#connectionsMax;
  }

  /** Domains that one session may serve. */
  get turnsMax(): number {
    return this.#failedAfter[FAILURES_MIN - 1] ?? Infinity;
  }

  /** Whether another session may be opened now. */
  get hasRoom(): boolean {
    // A host that cannot share is asked by as many domains at a time as it bears.
    const isShareable = this.turnsMax > 1;
    return this.#sessions < (isShareable ? Math.min(SESSIONS_MAX, this.#connectionsMax) : this.#connectionsMax);
  }

  /** A session is being opened. */
  begin(): void {
    this.#sessions += 1;
  }

  /** It has ended, or could not be had. */
  end(): void {
    this.#sessions -= 1;
  }

  /** As far as can be seen, the server bears no more than this many connections. */
  lower(connections: number): void {
    this.#connectionsMax = Math.min(this.#connectionsMax, connections);
  }

  /** A session that had served this many domains did not serve the next one, for all that can be seen because of them. */
  noteFailure(after: number): void {
    this.#failedAfter = [...this.#failedAfter, after].toSorted((a, b) => a - b).slice(0, FAILURES_MIN);
  }
}
