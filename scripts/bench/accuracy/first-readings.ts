/**
 * What the rules of the day made of replies on the day that these were written, before any rule was changed for them:
 * a set is new only once. They stand in `prober/testing/replies/paraphrases/` now, and their figures there are training
 * figures. Strict: their labels name one outcome each. They were written to be hard, a plain "User unknown" is not among them.
 */
export const FIRST_READINGS = [
  { set: 'A, nouns, states, spelling, forms', replies: 299, before: 70.6, deadFound: 64.2, falseDead: 13 },
  { set: 'B, the same by other words', replies: 240, before: 68.3, deadFound: 56.9, falseDead: 3 },
  { set: 'B, once the rules were written from A', replies: 240, before: 86.3, deadFound: 84.7, falseDead: 3 },
  { set: 'C, default texts as remembered', replies: 164, before: 82.9, deadFound: 82.1, falseDead: 3 },
  { set: 'D, against the rules written from A to C', replies: 136, before: 75.0, deadFound: 68.7, falseDead: 6 },
  { set: 'languages, thirty of them', replies: 177, before: 48.0, deadFound: 40.4, falseDead: 0 },
] as const;
