/** What a domain at the shared hosts does to those who ask about it. */
export type DomainKind = 'tells' | 'refuses_us' | 'defers';

/** Every seventh of the domains `d<number>.test` has a policy against us, every eleventh of the others defers for no reason of a mailbox's. */
export function kindOf(domain: string): DomainKind {
  const number = Number(/\d+/.exec(domain)?.[0] ?? 0);
  return number % 7 === 0 ? 'refuses_us' : number % 11 === 0 ? 'defers' : 'tells';
}
