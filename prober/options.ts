import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { toALabels } from '../schema/address.ts';
import type { Egress, Route } from './engine/ports/settings.ts';

// The forms in which an operator writes resolvers, stub zones, routes and egress addresses, wherever that is.

/** `problem` says in one line what was expected. */
export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

export type Stub = { readonly zone: string; readonly server: string };

const DNS_PORT = 53;
const PORT = /^[1-9]\d{0,4}$/;
const PORT_MAX = 65_535;
/** Where declared routes may lead: loopback and RFC 1918. Nothing that strangers' DNS can mean by accident. */
const ROUTABLE = ['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '::1/128'].map((range) =>
  ipaddr.parseCIDR(range),
);

const good = <T>(value: T): Parsed<T> => ({ ok: true, value });
const bad = (problem: string): Parsed<never> => ({ ok: false, problem });

/**
 * A DNS server: `IP`, `IP:PORT` or `[IPv6]:PORT`.
 * @returns it in the last two forms, which node:dns takes
 */
export function parseServer(text: string): Parsed<string> {
  const bracketed = /^\[([^\]]*)\](?::(.*))?$/.exec(text);
  // An IPv6 address without brackets has no port: every colon is its own.
  const plain = isIP(text) === 6 ? [text, text, undefined] : /^([^:]*)(?::(.*))?$/.exec(text);
  const [, ip, port = String(DNS_PORT)] = bracketed ?? plain ?? [];
  const family = ip === undefined || ip.includes('%') ? 0 : isIP(ip);
  if (ip === undefined || family === 0 || (bracketed !== null && family === 4) || !isPort(port))
    return bad('expected IP or IP:PORT, such as 127.0.0.1:53 or [::1]:53');
  return good(family === 6 ? `[${ip}]:${port}` : `${ip}:${port}`);
}

/** `ZONE=IP:PORT`: a zone in any spelling, and the DNS server that is asked about it. */
export function parseStub(text: string): Parsed<Stub> {
  const [left, right] = halves(text);
  const zone = left === null ? null : toALabels(left.toLowerCase().replace(/\.$/, ''));
  if (zone === null || right === null) return bad('expected ZONE=IP:PORT, such as test=127.0.0.1:5300');
  const server = parseServer(right);
  return server.ok ? good({ zone, server: server.value }) : bad(`after ${zone}=: ${server.problem}`);
}

/** `CIDR=PORT`: addresses in the range are dialled on the port and may be private. Loopback and RFC 1918 only. */
export function parseRoute(text: string): Parsed<Route> {
  const [left, right] = halves(text);
  const range = left === null ? null : parseRange(left);
  if (range === null || right === null || !isPort(right)) return bad('expected CIDR=PORT, such as 127.0.0.0/8=2525');
  const [address, bits] = range;
  const inside = ROUTABLE.some(([network, width]) => {
    return network.kind() === address.kind() && bits >= width && address.match(network, width);
  });
  if (!inside) return bad('a route lies within 127.0.0.0/8, 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16 or ::1');
  return good({ cidr: `${address.toString()}/${bits}`, port: Number(right) });
}

/** `IP=HELO`: an address of this host and the name it says EHLO with. `default=HELO` leaves the address to the system. */
export function parseEgress(text: string): Parsed<Egress> {
  const [left, right] = halves(text);
  const heloName = right === null ? null : toALabels(right.toLowerCase().replace(/\.$/, ''));
  const known = left === 'default' || (left !== null && isIP(left) !== 0 && !left.includes('%'));
  if (!known || heloName === null)
    return bad('expected IP=HELO, such as 192.0.2.1=probe1.example.com, or default=HELO');
  return good({ ip: left === 'default' ? null : left, heloName });
}

function halves(text: string): readonly [string, string] | readonly [null, null] {
  const at = text.indexOf('=');
  return at === -1 ? [null, null] : [text.slice(0, at), text.slice(at + 1)];
}

function isPort(text: string): boolean {
  return PORT.test(text) && Number(text) <= PORT_MAX;
}

/** An address alone is the range of itself. */
function parseRange(text: string): readonly [ipaddr.IPv4 | ipaddr.IPv6, number] | null {
  const slash = text.indexOf('/');
  const ip = slash === -1 ? text : text.slice(0, slash);
  const family = isIP(ip);
  if (family === 0 || ip.includes('%')) return null;
  const width = family === 4 ? 32 : 128;
  const bits = slash === -1 ? String(width) : text.slice(slash + 1);
  if (!/^\d{1,3}$/.test(bits) || Number(bits) > width) return null;
  return [ipaddr.parse(ip), Number(bits)];
}
