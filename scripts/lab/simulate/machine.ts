import type { Engine, ProbeBatch } from '../../../prober/engine/batch.ts';
import { connect as dial } from '../../../prober/link/connect.ts';
import { Host } from '../../../prober/link/host.ts';
import { identify } from '../../../prober/link/identity.ts';
import { TIMINGS } from '../../../prober/link/timings.ts';
import { decodeJwt } from './stand-ins/jose.ts';
import { WebSocket as HostSocket } from './stand-ins/ws.ts';
import type { Enrolment } from '../../../schema/enrolment.ts';
import type { MailWorld } from './mail-world.ts';
import type { Seeded } from '../../base/seeded.ts';
import { SimLink } from './sim-link.ts';
import type { SimObject } from './sim-object.ts';
import type { SimTime } from './sim-time.ts';

const DIAL_MS = 30;
const HANDSHAKE_MS = 10_000;

const WELL = { healthy: true, checked: true, failing: [], failed: 0, confirm: () => Promise.resolve(true) };

export type Surroundings = {
  readonly time: SimTime;
  readonly random: Seeded;
  readonly world: MailWorld<Machine>;
  readonly object: SimObject;
  readonly record: (what: string) => void;
};

/** One process of a probe host: the real Host on a machine that can freeze, lose its network, and die. */
export class Machine {
  readonly name: string;
  readonly startedAt: number;
  readonly #around: Surroundings;
  readonly #host: Host;
  readonly #aheadMs: number;
  #alive = true;
  #frozenUntil = 0;
  #unreachableUntil = 0;
  #link: SimLink | null = null;
  /** When something was done to it that may cost a job, the last time. */
  troubledAt = -Infinity;
  /** When its link was reset, the last time: what was on its way was lost, and sent again where it is still of use. */
  resetAt = -Infinity;
  isDraining = false;

  constructor(name: string, enrolment: Enrolment, around: Surroundings) {
    const { time, random } = around;
    this.name = name;
    this.startedAt = time.now();
    this.#around = around;
    // Within what a token tolerates.
    this.#aheadMs = random.whole(-20_000, 20_000);
    const wallClock = (): number => time.wallClock() + this.#aheadMs;
    const clock = {
      now: () => time.now(),
      after: (ms: number, run: () => void) => time.after(ms, () => this.#act(run)),
    };
    this.#host = new Host({
      identity: identify(enrolment, `${name}-instance-0123456789`, wallClock()),
      connect: (url, headers, handshakeMs) => {
        const socket = dial(url, headers, handshakeMs);
        if (socket instanceof HostSocket) this.#dial(socket, headers['authorization'] ?? '');
        return socket;
      },
      egress: ['default'],
      routes: false,
      version: '1.0.0',
      engine: this.#engine(),
      trust: WELL,
      clock,
      random: random.next,
      wallClock,
      timings: TIMINGS,
      log: (event, fields) => around.record(`${name}: ${event} ${fields === undefined ? '' : JSON.stringify(fields)}`),
      onFatal: (hint) => around.record(`${name}: fatal ${hint}`),
      onBug: (error) => around.record(`${name}: bug ${String(error)}`),
    });
  }

  get alive(): boolean {
    return this.#alive;
  }

  get jobs(): number {
    return this.#host.status().jobs;
  }

  open(): void {
    this.#host.open();
  }

  /** It ends without a word; `silent`: not even its connections tell. */
  kill(silent: boolean): void {
    this.#trouble(silent ? 'lost power' : 'was killed');
    this.#alive = false;
    if (silent) this.#link?.cut();
    else this.#link?.reset();
  }

  freeze(ms: number): void {
    this.#trouble(`freezes for ${Math.round(ms)} ms`);
    this.#frozenUntil = this.#around.time.now() + ms;
  }

  /** Nothing gets through, in either direction, for this long. */
  cutOff(ms: number): void {
    this.#trouble(`is cut off for ${Math.round(ms)} ms`);
    this.#unreachableUntil = this.#around.time.now() + ms;
    this.#link?.cut();
  }

  /** Costs nobody anything: what was on its way is sent again. */
  resetLink(): void {
    this.#around.record(`${this.name} has its link reset`);
    this.resetAt = this.#around.time.now();
    this.#link?.reset();
  }

  drain(): void {
    this.isDraining = true;
    this.#around.record(`${this.name} begins to drain`);
    void this.#drain();
  }

  async #drain(): Promise<void> {
    await this.#host.drain();
    this.#alive = false;
    this.#around.record(`${this.name} has drained`);
  }

  #trouble(what: string): void {
    this.#around.record(`${this.name} ${what}`);
    this.troubledAt = this.#around.time.now();
  }

  /** A frozen machine does what was due once it goes on; a dead one never. */
  #act(run: () => void): void {
    const { time } = this.#around;
    if (!this.#alive) return;
    if (time.now() < this.#frozenUntil) {
      this.troubledAt = time.now();
      time.after(this.#frozenUntil - time.now(), () => this.#act(run));
    } else run();
  }

  #dial(socket: HostSocket, authorization: string): void {
    const { time, random, object } = this.#around;
    const fail = (): void =>
      this.#act(() => {
        socket.emit('error', new Error('unreachable'));
        socket.ended(1006);
      });
    if (time.now() < this.#unreachableUntil) {
      this.troubledAt = time.now();
      time.after(HANDSHAKE_MS, fail);
      return;
    }
    const knock = async (): Promise<void> => {
      const { iss } = decodeJwt(authorization);
      const end = await object.accept(String(iss));
      if (end === null) return fail();
      this.#link = new SimLink(time, {
        host: socket,
        object: end,
        onHost: (run) => this.#act(run),
        toObject: { text: (text) => object.heard(end, text), closed: (code) => object.closed(end, code) },
        delayMs: () => random.between(1, 25),
      });
      time.after(random.between(1, DIAL_MS), () => this.#act(() => socket.opened()));
    };
    time.after(random.between(1, DIAL_MS), () => void knock());
  }

  /** Asks the mail world, domain by domain, and says what it answered. */
  #engine(): Engine {
    const { time, world } = this.#around;
    return {
      endIdle: () => {},
      cooling: () => 0,
      probe: (batch: ProbeBatch) =>
        new Promise((resolve) => {
          let open = batch.recipients.length;
          const ended = (): void => {
            open -= 1;
            if (open <= 0) resolve();
          };
          batch.signal.addEventListener('abort', () => resolve());
          const lanes = new Map<string, number>();
          for (const [index, recipient] of batch.recipients.entries()) {
            const dueMs = (lanes.get(recipient.domain) ?? 0) + world.takesMs(recipient);
            lanes.set(recipient.domain, dueMs);
            time.after(dueMs, () =>
              this.#act(() => {
                if (batch.signal.aborted) return;
                batch.report(index, world.ask(recipient, this));
                ended();
              }),
            );
          }
        }),
    };
  }
}
