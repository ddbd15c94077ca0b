import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { parseAddress, toALabels } from '../../schema/address.ts';
import type { Egress, Route } from '../engine/ports/settings.ts';
import { judgeIp } from '../engine/targets/routable.ts';

// The one syntax for resolvers, stub zones, routes, egress addresses and the envelope sender: in a host's environment,
// for `npm start` and for `probe` alike. The results are in canonical spelling.

/** `problem` says in one line what was expected. */
export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

/** Reads a comma-separated list. @param before the earlier items, if the list is given in several pieces */
export type ParseList<T> = (text: string, before?: readonly T[]) => Parsed<readonly T[]>;

export type Stub = { readonly zone: string; readonly server: string };

const DNS_PORT = '53';
const PORT = /^[1-9]\d{0,4}$/;
const PORT_MAX = 65_535;
/** `[IPv6]:PORT`, `IPv4:PORT`, and IPv6 alone: without brackets every colon belongs to the address. */
const SERVER = /^(?:\[(.*:.*)\](?::(.*))?|([^:[\]]+)(?::([^:]*))?|([^[\]]+))$/;
/** A resolver would read this as an IP address. */
const ENDS_IN_NUMBER = /(^|\.)(\d+|0x[0-9a-f]*)$/;
const NON_ASCII = /[^\0-\x7f]/;
/** Where declared routes may lead: no address that a stranger's DNS would name by accident. */
const ROUTABLE = ['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '::1/128'].map((range) =>
  ipaddr.parseCIDR(range),
);
const ITEM_CHARS_SHOWN = 80;

const good = <T>(value: T): Parsed<T> => ({ ok: true, value });
const bad = (problem: string): Parsed<never> => ({ ok: false, problem });

export const parseServers = listOf(parseServer, (server) => server);
export const parseStubs = listOf(parseStub, ({ zone }) => zone);
export const parseRoutes = listOf(parseRoute, ({ cidr }) => cidr);
export const parseEgresses = listOf(parseEgress, ({ ip }) => ip ?? 'default');
export const parseHostNames = listOf(parseHostName, (name) => name);
export const parseMailboxes = listOf(parseMailFrom, (mailbox) => mailbox);

/** A DNS server: `IP`, `IP:PORT` or `[IPv6]:PORT`. @returns one of the last two forms, which node:dns accepts */
export function parseServer(text: string): Parsed<string> {
  const [, bracketed, port6, ipv4, port4, ipv6] = SERVER.exec(text) ?? [];
  const ip = parseIp(bracketed ?? ipv4 ?? ipv6 ?? '');
  const port = port6 ?? port4 ?? DNS_PORT;
  if (ip === null || !isPort(port)) return bad('expected IP or IP:PORT, such as 127.0.0.1:53 or [::1]:53');
  return good(ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`);
}

/** `ZONE=IP:PORT`: a zone in any spelling, and its DNS server. */
export function parseStub(text: string): Parsed<Stub> {
  const [left, right] = halves(text);
  const zone = left === null ? null : hostName(left);
  if (zone === null || right === null) return bad('expected ZONE=IP:PORT, such as test=127.0.0.1:5300');
  const server = parseServer(right);
  return server.ok ? good({ zone, server: server.value }) : bad(`after ${zone}=: ${server.problem}`);
}

/**
 * `CIDR=[IP:]PORT`: addresses in the range may be private and are dialled on the port, at IP if it is given: a loopback address
 * of the same family, where their servers really listen. The range is within loopback or RFC 1918.
 */
export function parseRoute(text: string): Parsed<Route> {
  const [left, right] = halves(text);
  const range = left === null ? null : parseRange(left);
  const leads = right === null ? null : parseLeads(right);
  if (range === null || leads === null)
    return bad('expected CIDR=[IP:]PORT, such as 127.0.0.0/8=2525 or 10.1.0.0/24=127.0.0.1:2525');
  const { address, network, bits } = range;
  const inside = ROUTABLE.some(([base, width]) => {
    return base.kind() === address.kind() && bits >= width && address.match(base, width);
  });
  if (!inside)
    return bad(
      'a route must lie within loopback or RFC 1918: 127.0.0.0/8, 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16 or ::1',
    );
  if (address.toString() !== network)
    return bad(`write ${network}/${bits} for the whole range, or ${address.toString()} for the one address`);
  if (leads.ip !== undefined && !isLoopback(leads.ip, address.kind()))
    return bad(`a route leads to a loopback address of the same family, such as 127.0.0.1, not to ${leads.ip}`);
  return good({ cidr: `${network}/${bits}`, ...leads });
}

/** As `parseRoute` reads it. */
export function routeText({ cidr, ip, port }: Route): string {
  if (ip === undefined) return `${cidr}=${port}`;
  return `${cidr}=${ip.includes(':') ? `[${ip}]` : ip}:${port}`;
}

/** `PORT`, `IPv4:PORT` or `[IPv6]:PORT`. */
function parseLeads(text: string): Pick<Route, 'ip' | 'port'> | null {
  if (isPort(text)) return { port: Number(text) };
  const [, ip6, port6, ip4, port4] = SERVER.exec(text) ?? [];
  const ip = parseIp(ip6 ?? ip4 ?? '');
  const port = port6 ?? port4 ?? '';
  return ip === null || !isPort(port) ? null : { ip, port: Number(port) };
}

function isLoopback(ip: string, kind: 'ipv4' | 'ipv6'): boolean {
  const address = ipaddr.parse(ip);
  return address.kind() === kind && address.range() === 'loopback';
}

/** `IP=HELO`: an address of this host and its EHLO name. `default=HELO` leaves the address to the system. */
export function parseEgress(text: string): Parsed<Egress> {
  const [left, right] = halves(text);
  const ip = left === null || left === 'default' ? null : parseIp(left);
  const heloName = right === null ? null : hostName(right);
  if (heloName === null || (ip === null && left !== 'default'))
    return bad('expected IP=HELO, such as 192.0.2.1=probe1.example.com, or default=HELO');
  if (!heloName.includes('.')) return bad('HELO must be a full domain name, such as probe1.example.com');
  return good({ ip, heloName });
}

/** The envelope sender, or a mailbox to ask about: an address whose local part is ASCII, at a domain name. */
export function parseMailFrom(text: string): Parsed<string> {
  const address = parseAddress(text);
  if (address === null || address.domainKind !== 'name' || NON_ASCII.test(address.identity))
    return bad('expected an address in ASCII at a domain name, such as probe@example.com');
  return good(address.identity);
}

/** A host name in any spelling; returned in lower-case A-labels without the last dot. */
function parseHostName(text: string): Parsed<string> {
  const name = hostName(text.trim());
  return name === null ? bad('expected a host name, such as mx.example.com') : good(name);
}

/** @param keyOf equal keys mean the same item */
export function listOf<T>(parse: (text: string) => Parsed<T>, keyOf: (item: T) => string): ParseList<T> {
  return (text, before = []) => {
    const items = [...before];
    for (const item of text.split(',').map((part) => part.trim())) {
      const shown = JSON.stringify(item.slice(0, ITEM_CHARS_SHOWN));
      const parsed = parse(item);
      if (!parsed.ok) return bad(`${shown}: ${parsed.problem}`);
      const key = keyOf(parsed.value);
      if (items.some((other) => keyOf(other) === key)) return bad(`${shown}: ${key} is given twice; remove one`);
      items.push(parsed.value);
    }
    return good(items);
  };
}

function halves(text: string): readonly [string, string] | readonly [null, null] {
  const at = text.indexOf('=');
  return at === -1 ? [null, null] : [text.slice(0, at), text.slice(at + 1)];
}

function hostName(text: string): string | null {
  const name = toALabels(text.toLowerCase().replace(/\.$/, ''));
  return name === null || ENDS_IN_NUMBER.test(name) ? null : name;
}

function isPort(text: string): boolean {
  return PORT.test(text) && Number(text) <= PORT_MAX;
}

/** Canonical. A zone (%eth0) names no address, and no socket has an IPv4 address mapped into IPv6. */
function parseIp(text: string): string | null {
  const checked = judgeIp(text);
  if (checked === null || (checked.family === 6 && ipaddr.IPv6.parse(checked.ip).isIPv4MappedAddress())) return null;
  return checked.ip;
}

/** `network` is the first address of the range. A single address is a range of one. */
function parseRange(text: string): {
  readonly address: ipaddr.IPv4 | ipaddr.IPv6;
  readonly network: string;
  readonly bits: number;
} | null {
  const [ip = ''] = text.split('/', 1);
  const family = isIP(ip);
  const cidr = ip === text ? `${ip}/${family === 4 ? 32 : 128}` : text;
  // ipaddr.js by itself also reads 127.1, octal octets and zones.
  if (family === 0 || ip.includes('%') || !ipaddr.isValidCIDR(cidr)) return null;
  const [address, bits] = ipaddr.parseCIDR(cidr);
  const network = (family === 4 ? ipaddr.IPv4 : ipaddr.IPv6).networkAddressFromCIDR(cidr);
  return { address, network: network.toString(), bits };
}
