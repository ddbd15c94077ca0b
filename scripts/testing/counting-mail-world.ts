import { startLoopbackMailWorld } from './loopback-mail-world.ts';

// Mail servers that count how often each address was asked for: what a list cost the world, independent of the ledger.

const ZONE = 'counted.example';
/** A server allows a limited number of sessions a minute, so each domain has its own. */
const DOMAINS = 8;
const NET = '127.0.78';

export type CountingMailWorld = {
  /** What `npm start` needs to see it. */
  readonly args: readonly string[];
  /** This many consecutive addresses, all of which exist. */
  readonly addresses: (from: number, count: number) => string[];
  /** How often it was asked for these. */
  readonly asked: (addresses: readonly string[]) => number;
  readonly close: () => Promise<void>;
};

/** Starts its name server and a mail server for each of its domains. */
export async function startCountingMailWorld(): Promise<CountingMailWorld> {
  const seen = new Map<string, number>();
  const world = await startLoopbackMailWorld({
    zone: ZONE,
    servers: DOMAINS,
    ipOf: (server) => `${NET}.${server + 1}`,
    refusing: 0,
    answersAfterMs: 0,
    onAsked: (_sender, email) => seen.set(email, (seen.get(email) ?? 0) + 1),
  });
  return {
    args: ['--stub', `${ZONE}=${world.dns}`, '--route', `${NET}.0/24=${world.port}`],
    addresses: (from, count) =>
      Array.from({ length: count }, (_, n) => `y${from + n}@d${(from + n) % DOMAINS}.${ZONE}`),
    asked: (addresses) => addresses.reduce((sum, email) => sum + (seen.get(email) ?? 0), 0),
    close: world.close,
  };
}
