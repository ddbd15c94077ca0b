import { Refusals } from '../../base/refusals.ts';

/** Why a host is refused, in words for an operator: each has its row in `prober/runbooks/host-away.md`. */
export const REFUSED = {
  stranger: 'not an enrolled host',
  removed: 'it was removed',
  origin: 'its enrolment names another origin',
  key: 'its key is not the enrolled one',
  flood: 'it said more than it had to say',
  routes: 'it declares private routes, and this edge is not a sandbox',
  instance: 'its process is known as that of another host',
  hello: 'this edge does not understand its hello: roll it to the version of the edge',
} as const;

/** A refused dial-in, in words for an operator. The host is only what the token claims. */
export type Refusal = { readonly host: string | null; readonly why: string };

// Anyone may call the hosts' endpoint, and refusals should be visible: so one per host, and one for all strangers
// together, is reported every so often, no matter how many there are.

const TOLD_EVERY_MS = 60_000;

export class RefusedLinks {
  readonly #told = new Refusals<null>();

  /** Whether to report this refusal: the first of its host, or of any stranger, within a minute. */
  isNews({ host }: Refusal, nowMs: number): boolean {
    const who = host ?? '';
    if (this.#told.find(who, '', nowMs) !== null) return false;
    this.#told.remember(who, '', null, nowMs + TOLD_EVERY_MS);
    return true;
  }
}
