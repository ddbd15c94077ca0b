// The addresses of a run: each is in one list only, so that every asking can be laid to it.

export const ZONE = 'chaos.example';
/** Mail servers, each with a domain of its own. */
export const SERVERS = 256;
const DOMAINS_PER_LIST = 2;

/** A list that nobody was given before: of each mailbox its name says whether it exists. @param n counts the lists */
export function newList(n: number, length: number): readonly string[] {
  return Array.from({ length }, (_, at) => {
    const server = (n * DOMAINS_PER_LIST + (at % DOMAINS_PER_LIST)) % SERVERS;
    return `${(n + at) % 2 === 0 ? 'y' : 'n'}${n}-${at}@d${server}.${ZONE}`;
  });
}

/** What every honest answer says of an address of a list. */
export function truthOf(email: string): 'deliverable' | 'undeliverable' {
  return email.startsWith('y') ? 'deliverable' : 'undeliverable';
}
