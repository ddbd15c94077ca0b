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

/** Random-looking numbers in [0, 1), the same in each run. */
export function seeded(seed: number): () => number {
  let state = seed * 7919 + 1;
  const next = (): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  for (let i = 0; i < 10; i += 1) next();
  return next;
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
