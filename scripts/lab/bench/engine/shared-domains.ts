/** What a domain at the shared host does to those who ask about it. */
export type DomainKind = 'tells' | 'takes_all' | 'refuses_us' | 'defers';

/** Of twenty domains `d<number>.test` two take everybody, one refuses us, and one defers. */
export function kindOf(domain: string): DomainKind {
  switch (Number(/\d+/.exec(domain)?.[0] ?? 0) % 20) {
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
