/** What a domain at the shared host does to those who ask about it. */
export type DomainKind = 'tells' | 'takes_all' | 'refuses_us' | 'defers';

/**
 * Which of the domains `d<number>.test` do what. `twentieths`: two of twenty take everybody, one refuses us, and one greylists.
 * `google`: every seventh has a policy against us, and every eleventh of the others defers for no reason of a mailbox's.
 */
export type Shape = 'twentieths' | 'google';

export function kindOf(shape: Shape, domain: string): DomainKind {
  const number = Number(/\d+/.exec(domain)?.[0] ?? 0);
  if (shape === 'google') return number % 7 === 0 ? 'refuses_us' : number % 11 === 0 ? 'defers' : 'tells';
  switch (number % 20) {
    case 3:
    case 13:
      return 'takes_all';
    case 7:
      return 'refuses_us';
    case 17:
      return 'defers';
    default:
      return 'tells';
  }
}
