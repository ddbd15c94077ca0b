import { keepLatest } from '../../../schema/keep-latest.ts';
import { ANSWERS, type Reply } from './answer.ts';

// What hosts answer, against what the others answer for the same kind of work: of all accounts, of one account, of one
// listed provider. A host that says one thing of everybody shows within a few addresses, whatever that is.

/** What one host, or nobody in particular, said lately of one kind of work, in the order of `ANSWERS`. */
type Tally = number[];
/** What one host said, and how far each answer exceeds what the others lead to expect (CUSUM: the log of a ratio of odds). */
type Stream = { readonly said: Tally; readonly excess: Tally };
/** Another host, and what that says of the same address. */
type Other = { readonly host: string; readonly answer: Reply };
type Work = { readonly hosts: Map<string, Stream>; readonly learnt: Tally };

/** Kinds of work remembered; the one heard of longest ago is forgotten. */
const WORK_MAX = 1_000;
/** Of one kind: far more than are enrolled. */
const HOSTS_MAX = 64;
/** Of one kind and host: beyond this, all is halved. */
const SAID_MAX = 200;
/** A host that lies about everybody says this share of one answer. */
const LIAR = 0.95;
/** From here on its answer is put to another host: some eleven of one answer in a row, if others give it half of the time. */
const SUSPECT = 7;
const EXCESS_MAX = 50;
/** How much less it gets with each answer that is given to nearly everybody, and at least with each that is confirmed. */
const USUAL = 0.35;
/** No answer is held to be rarer than this: two or three in a row are no wonder. */
const RAREST = 0.3;
/**
 * What hosts say as seconds: work of these keys is no fair sample of all, and what is expected there is told by other seconds
 * alone. If most of them say the same, it is nothing to wonder at.
 */
export const SECONDS = 'after ';
const MOST = 0.75;
/** All work together: what is expected there is expected of any kind of work of which little was heard. */
export const ALL = 'all';
/** Shares before anybody has said anything, and the number of answers that they count as. */
const PRIOR = { shares: [0.5, 0.06, 0.31, 0.03, 0.07, 0.03], of: 8 };
/** What a second host answers when one is doubted counts as this many answers. */
const LEARNT = { each: 3, most: 60 };
/** Confirmations make it less: this much is left of doubt when nothing of it is believed against another's word. */
const ONE_WORD = 4;

export class AnswerShares {
  readonly #work = new Map<string, Work>();

  /** @param keys the kinds of work that it was part of: the first is what the others lead to expect of it among all */
  note(host: string, keys: readonly string[], answer: Reply): void {
    const at = ANSWERS.indexOf(answer);
    const [own = ALL] = keys;
    for (const key of keys) {
      const work = this.#workOf(key);
      const stream = streamOf(work, host);
      for (const [n, excess] of stream.excess.entries()) {
        if (key.startsWith(SECONDS) && work.hosts.size < 2) continue;
        const expected = key === ALL ? this.#expected(own, host, n) : this.#expected(key, host, n);
        // Where everybody gets this answer, one host more that gives it is nothing to wonder at.
        const change =
          expected >= (key.startsWith(SECONDS) ? MOST : LIAR)
            ? -USUAL
            : Math.log(n === at ? LIAR / expected : (1 - LIAR) / (1 - expected));
        stream.excess[n] = Math.min(EXCESS_MAX, Math.max(0, excess + change));
      }
      add(stream.said, at, 1, SAID_MAX);
    }
  }

  /** Another host was asked because one was doubted, and gave this answer: so it is with this kind of work. */
  learn(keys: readonly string[], answer: Reply): void {
    for (const key of keys) add(this.#workOf(key).learnt, ANSWERS.indexOf(answer), LEARNT.each, LEARNT.most);
  }

  /** Whether it gives this answer more often than the others lead to expect, so that another is asked too. */
  isSuspect(host: string, keys: readonly string[], answer: Reply): boolean {
    return this.#excess(host, keys, answer) >= SUSPECT;
  }

  /** Whether it gives it so often that its word counts for nothing, or, if `other` is given, for nothing against that. */
  isOneWord(host: string, keys: readonly string[], answer: Reply, other: Other | null = null): boolean {
    const excess = this.#excess(host, keys, answer);
    const theirs = other === null ? 0 : this.#excess(other.host, keys, other.answer);
    return excess >= ONE_WORD && excess > 2 * theirs;
  }

  /**
   * Another host gave the same answer of the same address.
   * @returns what that says for it: much if the answer is rare, little if everybody is said to be so
   */
  confirm(host: string, keys: readonly string[], answer: Reply): number {
    const at = ANSWERS.indexOf(answer);
    const worths = keys.map((key) => {
      const work = this.#workOf(key);
      const stream = streamOf(work, host);
      const worth = -Math.log(this.#expected(key, host, at));
      stream.excess[at] = Math.max(0, (stream.excess[at] ?? 0) - Math.max(USUAL, worth));
      return worth;
    });
    return Math.max(0, ...worths);
  }

  #excess(host: string, keys: readonly string[], answer: Reply): number {
    const at = ANSWERS.indexOf(answer);
    return Math.max(0, ...keys.map((key) => this.#work.get(key)?.hosts.get(host)?.excess[at] ?? 0));
  }

  #expected(key: string, host: string, at: number): number {
    const work = this.#work.get(key);
    if (work !== undefined && key.startsWith(SECONDS)) return expectedOf(work, host, at, { share: 0.5, of: 1 });
    const prior = key === ALL ? (PRIOR.shares[at] ?? RAREST) : this.#expected(ALL, host, at);
    return work === undefined ? prior : expectedOf(work, host, at, { share: prior, of: PRIOR.of });
  }

  #workOf(key: string): Work {
    const work = this.#work.get(key) ?? { hosts: new Map<string, Stream>(), learnt: ANSWERS.map(() => 0) };
    keepLatest(this.#work, key, work, WORK_MAX);
    return work;
  }
}

function streamOf({ hosts }: Work, host: string): Stream {
  const stream = hosts.get(host) ?? { said: ANSWERS.map(() => 0), excess: ANSWERS.map(() => 0) };
  keepLatest(hosts, host, stream, HOSTS_MAX);
  return stream;
}

/**
 * The share of an answer that the others lead to expect: as the one of them gives it that gives it least, since two may
 * lie alike.
 * @param prior what is expected where little was heard, and the number of answers that it counts as
 */
function expectedOf(
  { hosts, learnt }: Work,
  host: string,
  at: number,
  prior: { readonly share: number; readonly of: number },
): number {
  const known = prior.share * prior.of + (learnt[at] ?? 0);
  const of = prior.of + sum(learnt);
  const others = [...hosts].flatMap(([name, { said }]) => (name === host ? [] : [said]));
  if (others.length === 0) return Math.max(RAREST, known / of);
  return Math.max(RAREST, Math.min(...others.map((said) => (known + (said[at] ?? 0)) / (of + sum(said)))));
}

function add(tally: Tally, at: number, count: number, most: number): void {
  tally[at] = (tally[at] ?? 0) + count;
  if (sum(tally) > most) for (const [n, value] of tally.entries()) tally[n] = value / 2;
}

function sum(tally: Tally | undefined): number {
  return (tally ?? []).reduce((all, count) => all + count, 0);
}
