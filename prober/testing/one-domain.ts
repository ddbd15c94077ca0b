import { DELIVERABLE } from '../../schema/testing/evidence.ts';
import { type MailWorld, nextIp } from './mail-world.ts';
import type { Script } from './script.ts';

// Shared by tests about one domain, d.test.

/** The outcome of a mailbox that exists if made-up ones do not. */
export const ACCEPTED = DELIVERABLE;

/** The outcome of one that does not. */
export const UNKNOWN = { kind: 'no_such_mailbox', reply: { code: 550, enhanced: '5.1.1' } };

/** This many mailboxes of the domain. */
export function boxes(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `u${i}@d.test`);
}

/** A domain whose MX hosts, best first, are these scripts; null is a host that refuses the connection. */
export function withHosts(world: MailWorld, scripts: readonly (Script | null)[]) {
  const names = scripts.map((_, i) => `mx${i}.host${i}.test`);
  world.mx('d.test', names);
  return scripts.map((script, i) => {
    const ip = nextIp();
    world.host(names[i] ?? '', [ip]);
    return script === null ? null : world.serve(ip, script);
  });
}
