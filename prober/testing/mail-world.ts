import type { Evidence, Outcome } from '../../schema/evidence.ts';
import { evidenceSchema } from '../../schema/evidence.ts';
import { createEngine } from '../engine/batch.ts';
import type { Ends } from '../engine/ports/cancel.ts';
import type { Classify } from '../engine/meaning/outcome.ts';
import type { AddressAnswer, DialAnswer, DialTarget, DrawsFor, MxAnswer, Ports } from '../engine/ports/ports.ts';
import { DEFAULTS, type EngineSettings } from '../engine/ports/settings.ts';
import { classifyPlainly } from './classify-plainly.ts';
import { FakeClock } from '../../schema/testing/fake-clock.ts';
import { MemoryServer } from './memory-server.ts';
import type { Script } from './script.ts';

/** How an address without a server behaves when it is dialled. */
type Unserved = 'refuse' | 'reset' | 'hang' | 'no_route';

export const SIGNALS: Evidence['signals'] = { disposable: false, free: false, role: false, typoOf: null };

/** A mail world in memory: names, addresses, servers, and an engine that probes them. Domains are `NAME.test`. */
export class MailWorld {
  readonly clock = new FakeClock();
  readonly dialled: DialTarget[] = [];
  /** Names, once for MX and once for their IPv4 addresses. */
  readonly lookedUp: string[] = [];
  /** Names whose IPv6 addresses were looked up. */
  readonly lookedUpV6: string[] = [];
  readonly bugs: unknown[] = [];
  readonly settings: EngineSettings;
  readonly #mx = new Map<string, MxAnswer>();
  readonly #addresses = new Map<string, AddressAnswer>();
  readonly #servers = new Map<string, MemoryServer | Unserved>();
  readonly #oneWayMs: number;
  readonly engine;
  /** Batches in progress. */
  #running = 0;
  #isWarm = false;
  random: () => number = sequence();
  /** Of the batches that begin now. */
  draws: DrawsFor | null = null;

  constructor(settings: Partial<EngineSettings> = {}, oneWayMs = 0, reading: Classify = classifyPlainly) {
    this.#oneWayMs = oneWayMs;
    this.settings = {
      ...DEFAULTS,
      egress: [{ ip: null, heloName: 'probe.example.net' }],
      mailFrom: 'verify@probe.example.net',
      onBug: (error) => this.bugs.push(error),
      ...settings,
    };
    this.engine = createEngine(this.#ports(), this.settings, () => SIGNALS, reading);
  }

  /** Keeps sessions for the next batch. Without this each batch finds what it would find some seconds later. */
  warm(): this {
    this.#isWarm = true;
    return this;
  }

  /** The domain's MX hosts, best first; or an answer of any kind. */
  mx(domain: string, hosts: readonly string[] | MxAnswer): this {
    const records = isList(hosts) ? hosts.map((exchange, i) => ({ exchange, preference: 10 * (i + 1) })) : [];
    this.#mx.set(domain, isList(hosts) ? { kind: 'found', records } : hosts);
    return this;
  }

  /** The host's addresses. */
  host(name: string, ips: readonly string[], certain = true, declared = false): this {
    this.#addresses.set(name, { addresses: ips.map((ip) => ({ ip, declared })), certain });
    return this;
  }

  /** A scripted server, or none, at an address. */
  serve(ip: string, script: Script): MemoryServer {
    const server = new MemoryServer(script, this.clock, this.#oneWayMs);
    this.#servers.set(ip, server);
    return server;
  }

  unserved(ip: string, how: Unserved): this {
    this.#servers.set(ip, how);
    return this;
  }

  /** The usual: one domain, one MX host, one address, one server. */
  domain(name: string, script: Script, ip = nextIp()): MemoryServer {
    this.mx(name, [`mx.${name}`]).host(`mx.${name}`, [ip]);
    return this.serve(ip, script);
  }

  /** Probes addresses to the end and gives their evidence in order. */
  async probe(addresses: readonly string[], deadlineMs = 90_000, account = 0): Promise<Evidence[]> {
    const recipients = addresses.map((address) => {
      const at = address.lastIndexOf('@');
      return { local: address.slice(0, at), domain: address.slice(at + 1) };
    });
    const evidence: Evidence[] = [];
    const seen: number[] = [];
    this.#running += 1;
    const work = this.engine.probe({
      account,
      ...(this.draws === null ? {} : { draws: this.draws }),
      recipients,
      signal: new AbortController().signal,
      deadlineMs: this.clock.now() + deadlineMs,
      report: (index, one) => {
        seen.push(index);
        evidence[index] = evidenceSchema.parse(one);
      },
    });
    await this.clock.finish(work.finally(() => this.#ended()));
    if (seen.length !== addresses.length || new Set(seen).size !== seen.length)
      throw new Error(`${addresses.length} addresses had ${seen.length} reports`);
    return evidence;
  }

  async outcomes(addresses: readonly string[], deadlineMs?: number): Promise<Outcome[]> {
    return (await this.probe(addresses, deadlineMs)).map(({ outcome }) => outcome);
  }

  async outcome(address: string, deadlineMs?: number): Promise<Outcome> {
    const [outcome] = await this.outcomes([address], deadlineMs);
    if (outcome === undefined) throw new Error('no outcome');
    return outcome;
  }

  #ended(): void {
    this.#running -= 1;
    if (this.#running === 0 && !this.#isWarm) this.engine.endIdle();
  }

  #ports(): Ports {
    return {
      clock: this.clock,
      random: () => this.random(),
      resolveFor: () => ({
        mx: async (domain) => {
          this.lookedUp.push(domain);
          return this.#mx.get(domain) ?? { kind: 'nxdomain' };
        },
        addresses: async (host, _signal, family) => {
          (family === 6 ? this.lookedUpV6 : this.lookedUp).push(host);
          const { addresses, certain } = this.#addresses.get(host) ?? { addresses: [], certain: true };
          const asked = addresses.filter(({ ip }) => family === undefined || ip.includes(':') === (family === 6));
          return { addresses: asked, certain: certain || (family !== undefined && asked.length > 0) };
        },
      }),
      dial: (target, cancel) => this.#dial(target, cancel),
    };
  }

  async #dial(target: DialTarget, cancel: Ends): Promise<DialAnswer> {
    this.dialled.push(target);
    const server = this.#servers.get(target.ip) ?? 'refuse';
    if (server === 'no_route') return { kind: 'no_route' };
    if (this.#oneWayMs > 0) await this.#sleep(2 * this.#oneWayMs);
    if (cancel.aborted) return { kind: 'aborted' };
    if (server === 'refuse') return { kind: 'failed' };
    if (server === 'reset') return { kind: 'reset' };
    if (server !== 'hang') return { kind: 'connected', connection: server.connect(target.from) };
    return new Promise((resolve) => {
      cancel.addEventListener('abort', () => resolve({ kind: 'aborted' }));
    });
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.clock.after(ms, resolve);
    });
  }
}

function isList(value: readonly string[] | MxAnswer): value is readonly string[] {
  return Array.isArray(value);
}

let ips = 0;

/** A globally routable address that was not used yet. */
export function nextIp(): string {
  ips += 1;
  return `11.${(ips >> 16) & 255}.${(ips >> 8) & 255}.${ips & 255}`;
}

/** Random-looking numbers in [0, 1), the same in each run. */
function sequence(): () => number {
  let state = 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
