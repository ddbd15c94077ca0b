/** What the rules made of a set: shares in percent, strict, for its labels name one outcome each. */
export type Reading = { readonly right: number; readonly deadFound: number | null; readonly falseDead: number };

/**
 * What was made of replies on the day that these were written: `before` by the rules that had learnt from none of the
 * sets, `first` by the rules and the model of the hour that had learnt from the sets above it and not from the set itself.
 * A set is new only once: they stand in `prober/testing/replies/paraphrases/` now, and are training data.
 */
export const FIRST_READINGS: readonly {
  readonly set: string;
  readonly replies: number;
  readonly before: Reading;
  readonly first: Reading | null;
}[] = [
  {
    set: 'A: nouns, states, spelling, forms',
    replies: 299,
    before: { right: 70.6, deadFound: 64.2, falseDead: 13 },
    first: null,
  },
  {
    set: 'thirty languages',
    replies: 177,
    before: { right: 48.0, deadFound: 40.4, falseDead: 0 },
    first: null,
  },
  {
    set: 'B: as A, by other words',
    replies: 240,
    before: { right: 68.3, deadFound: 56.9, falseDead: 3 },
    first: { right: 86.3, deadFound: 84.7, falseDead: 3 },
  },
  {
    set: "C: mail servers' default texts",
    replies: 164,
    before: { right: 78.0, deadFound: 72.6, falseDead: 2 },
    first: { right: 82.9, deadFound: 82.1, falseDead: 3 },
  },
  {
    set: 'D: states nobody thought of',
    replies: 136,
    before: { right: 70.6, deadFound: 58.2, falseDead: 3 },
    first: { right: 75.0, deadFound: 68.7, falseDead: 6 },
  },
  {
    set: 'E: plain refusals',
    replies: 110,
    before: { right: 83.6, deadFound: 80.0, falseDead: 1 },
    first: { right: 93.6, deadFound: 93.3, falseDead: 1 },
  },
  {
    set: 'F: made to be taken for dead mailboxes, none is one',
    replies: 108,
    before: { right: 75.9, deadFound: null, falseDead: 18 },
    first: { right: 78.7, deadFound: null, falseDead: 19 },
  },
  {
    set: 'H: mailboxes, senders, hosts and rates mixed, thirty languages',
    replies: 135,
    before: { right: 88.1, deadFound: 87.7, falseDead: 3 },
    first: null,
  },
  {
    set: 'I: the same by other words',
    replies: 102,
    before: { right: 88.2, deadFound: 88.6, falseDead: 2 },
    first: null,
  },
];
