import type { Load, LoadFigures } from './load.ts';
import type { PeerFigures, PeerOptions } from './peer.ts';
import { startPeer } from './processes.ts';

export const LOOPBACK = '127.0.30.1';
/**
 * A mail server's address for each domain of a batch, whose numbers follow each other: domains at one address share sessions,
 * and each is to have its own conversation here. Spread over networks so that no limit delays them.
 */
const MAIL_IPS = Array.from({ length: 2_000 }, (_, i) => `127.31.${i % 125}.${1 + Math.floor(i / 125)}`);
const MAIL_NET = '127.31.0.0/16';
const SMTP_PORT = 2526;
const DNS_PORT = 5301;

export const load = (ip: string, more: Partial<Load>): Load => ({
  ip,
  mailNet: ip === LOOPBACK ? MAIL_NET : `${ip}/32`,
  smtpPort: SMTP_PORT,
  dnsPort: DNS_PORT,
  domains: 1,
  addressesPerDomain: 1,
  perRequest: 500,
  oneByOne: false,
  warm: false,
  concurrency: 1,
  deadlineMs: 90_000,
  warmUpDomains: 0,
  limits: 'none',
  addressesMax: null,
  ...more,
});

export const peer = (ip: string, more: Partial<PeerOptions>): PeerOptions => ({
  ip,
  mailIps: ip === LOOPBACK ? MAIL_IPS : [ip],
  smtpPort: SMTP_PORT,
  dnsPort: DNS_PORT,
  mode: 'exists',
  software: 'Postfix',
  ...more,
});

/** Runs `work` with a peer beside it. `served`: what the peer says that it really did. */
export async function withPeer<T>(
  namespace: string | null,
  options: PeerOptions,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly served: PeerFigures }> {
  const stop = await startPeer(namespace, options);
  try {
    return { result: await work(), served: await stop() };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** How many recipients had this outcome. */
export const count = ({ outcomes }: LoadFigures, outcome: string): number => outcomes[outcome] ?? 0;
