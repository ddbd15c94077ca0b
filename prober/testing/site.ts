import type { Evidence } from '../../schema/evidence.ts';
import { judge } from '../../schema/verdict.ts';
import { classifyFor } from '../engine/meaning/classify.ts';
import type { EngineSettings } from '../engine/ports/settings.ts';
import { MailWorld, nextIp } from './mail-world.ts';
import type { MemoryServer } from './memory-server.ts';
import type { Script, SessionRecord } from './script.ts';

// Shared by tests about many recipients or domains at one server.

export const TAKEN = '250 2.1.5 ok\r\n';
export const GONE = '550 5.1.1 no such user here\r\n';

export const VALID = 'valid null';
export const INVALID = 'invalid null';
export const CATCH_ALL = 'risky accept_all';

/** A world where a byte takes 20 ms each way, and replies mean what they mean to a real host. */
export function siteWorld(settings: Partial<EngineSettings> = {}, oneWayMs = 20): MailWorld {
  return new MailWorld(settings, oneWayMs, classifyFor('verify@probe.example.net'));
}

/** Domains `PREFIX0.test`, … whose one MX host is at this address. */
export function domainsAt(world: MailWorld, ip: string, count: number, prefix = 'd'): string[] {
  const names = Array.from({ length: count }, (_, i) => `${prefix}${i}.test`);
  for (const name of names) world.mx(name, [`mx.${name}`]).host(`mx.${name}`, [ip]);
  return names;
}

/** One server with this many domains, and an address in each, every second of which exists. */
export function tenants(world: MailWorld, count: number, script: Script, prefix = 'd') {
  const ip = nextIp();
  const server = world.serve(ip, script);
  return { server, addresses: domainsAt(world, ip, count, prefix).map((name, i) => `${letter(i)}${i}@${name}`) };
}

/** Mailboxes u0, x1, u2, x3, … of d.test. */
export const mailboxes = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => `${letter(i)}${i}@d.test`);

/** The reply of a server where the mailboxes u0, u1, … exist. */
export const byName = (mailbox: string): string => (isReal(mailbox) ? TAKEN : GONE);
export const isReal = (mailbox: string): boolean => /^u\d+@/.test(mailbox);
/** Their verdicts at such a server, as a customer reads them. */
export const truth = (address: string): string => (isReal(address) ? VALID : INVALID);

/** Status and reason. */
export function told(one: Evidence): string {
  const { status, reason } = judge({ email: '', local: '' }, one);
  return `${status} ${reason}`;
}

/** Each verdict that is not the expected one, with how often it was given: none is the aim. */
export function amiss(
  addresses: readonly string[],
  evidence: readonly Evidence[],
  expected: (address: string) => string = truth,
): Record<string, number> {
  const found: Record<string, number> = {};
  for (const [i, one] of evidence.entries()) {
    const want = expected(addresses[i] ?? '');
    if (told(one) !== want) found[`${told(one)} for ${want}`] = (found[`${told(one)} for ${want}`] ?? 0) + 1;
  }
  return found;
}

export const isRcpt = (line: string): boolean => line.startsWith('RCPT');

/** The mailboxes that were asked for, in this order. */
export const asked = ({ lines }: SessionRecord): string[] =>
  lines.filter(isRcpt).map((line) => /<(.*)>/.exec(line)?.[1] ?? '');

export const rcptsAt = ({ sessions }: MemoryServer): number => sessions.flatMap(asked).length;

function letter(i: number): string {
  return i % 2 === 0 ? 'u' : 'x';
}
