import { once } from 'node:events';
import { WebSocket } from 'ws';
import { type Identity, makeHostToken } from '../../../prober/link/identity.ts';
import { CLOSE } from '../../../schema/link.ts';
import { cpuMs, liveBytes, quiet } from './isolate.ts';
import { Stage, until } from './stage.ts';

// What an enrolled host that means ill can cost: its key is real, what it does with it is not.

export type AbuseFigures = {
  readonly what: string;
  /** Frames or links that it tried. */
  readonly tried: number;
  readonly outcome: string;
  readonly cpuMs: number;
  readonly heldBytes: number;
  readonly holds: boolean;
};

const FRAMES = 200_000;
const HALF_OPEN = 5_000;
const HALF_OPEN_MAX = 4;
const DIALS_AT_ONCE = 50;
const SETTLE_MS = 500;
/** CPU of workerd until a flood is cut off, what it reads on its way included. */
const FLOOD_CPU_MAX_MS = 4_000;
const HELD_MAX = 2_000_000;

const JUNK: ReadonlyArray<readonly [what: string, frame: string]> = [
  ['frames beyond the bound in size', 'x'.repeat(1_100_000)],
  ['small frames of no form', '{}'],
  ['frames of unknown batches', JSON.stringify({ v: 1, type: 'alive', job: 'no-such-batch.1' })],
  ['the largest frames, full of errors', evidence(Array.from({ length: 60_000 }, () => 0))],
  [
    'evidence of an unknown batch, 100 items a frame',
    evidence(
      Array.from({ length: 100 }, (_, index) => ({
        index,
        evidence: {
          mx: 0,
          signals: { disposable: false, free: false, role: false, typoOf: null },
          outcome: { kind: 'timeout', greeted: false },
        },
      })),
    ),
  ],
];

function evidence(items: readonly unknown[]): string {
  return JSON.stringify({ v: 1, type: 'evidence', job: 'no-such-batch.1', mx: [], items });
}

export async function measureAbuse(): Promise<readonly AbuseFigures[]> {
  const stage = await Stage.set();
  try {
    const identities = await stage.enrol([...JUNK.map((_, n) => `liar-${n}`), 'half-open', 'replayer']);
    const figures: AbuseFigures[] = [];
    for (const [n, [what, frame]] of JUNK.entries()) figures.push(await flood(stage, at(identities, n), what, frame));
    figures.push(await halfOpen(stage, at(identities, JUNK.length)));
    figures.push(await replay(stage, at(identities, JUNK.length + 1)));
    return figures;
  } finally {
    await stage.stop();
  }
}

async function flood(stage: Stage, identity: Identity, what: string, frame: string): Promise<AbuseFigures> {
  const socket = await dial(stage, await makeHostToken(identity, Date.now()));
  if (typeof socket === 'number') throw new Error(`The flood was refused with ${socket}`);
  const { instance } = identity;
  socket.send(
    JSON.stringify({ v: 1, type: 'hello', instance, routes: false, egress: ['default'], running: [], healthy: true }),
  );
  await once(socket, 'message');
  const before = { cpu: cpuMs(stage.pid), bytes: await liveBytes(stage.inspector, stage.url) };
  const closed = { code: 0 };
  socket.once('close', (code) => (closed.code = code));
  let tried = 0;
  const endsAt = performance.now() + 20_000;
  while (closed.code === 0 && tried < FRAMES && performance.now() < endsAt) {
    socket.send(frame);
    tried += 1;
    if (socket.bufferedAmount > 4_000_000 || tried % 100 === 0) await new Promise((wake) => setTimeout(wake, 1));
  }
  await quiet(stage.pid);
  const used = cpuMs(stage.pid) - before.cpu;
  socket.terminate();
  const heldBytes = (await liveBytes(stage.inspector, stage.url)) - before.bytes;
  const holds = closed.code === CLOSE.flood && used <= FLOOD_CPU_MAX_MS && heldBytes <= HELD_MAX;
  return {
    what,
    tried,
    outcome: closed.code === 0 ? 'never closed' : `closed with ${closed.code}`,
    cpuMs: used,
    heldBytes,
    holds,
  };
}

/** Every dial-in with a token of its own; no hello ever follows. */
async function halfOpen(stage: Stage, identity: Identity): Promise<AbuseFigures> {
  const before = { cpu: cpuMs(stage.pid), bytes: await liveBytes(stage.inspector, stage.url) };
  const sockets: WebSocket[] = [];
  let refused = 0;
  let open = 0;
  for (let n = 0; n < HALF_OPEN; n += DIALS_AT_ONCE) {
    const dials = Array.from({ length: DIALS_AT_ONCE }, async () =>
      dial(stage, await makeHostToken(identity, Date.now())),
    );
    for (const made of await Promise.all(dials)) {
      if (typeof made === 'number') refused += 1;
      else sockets.push(made);
    }
    if (refused > 0 && n > 10 * DIALS_AT_ONCE) continue;
    // Links that were closed take a moment to be so.
    await new Promise((wake) => setTimeout(wake, SETTLE_MS));
    open = Math.max(open, sockets.filter((socket) => socket.readyState === WebSocket.OPEN).length);
  }
  const heldBytes = (await liveBytes(stage.inspector, stage.url)) - before.bytes;
  const used = cpuMs(stage.pid) - before.cpu;
  const startedAt = performance.now();
  const isGone = (): boolean => sockets.every((socket) => socket.readyState !== WebSocket.OPEN);
  const gone = await until(() => 'every half-open link is closed', isGone, 30_000).then(
    () => `none after ${((performance.now() - startedAt) / 1_000).toFixed(0)} s more`,
    () => 'open for ever',
  );
  for (const socket of sockets) socket.terminate();
  return {
    what: 'links that never say hello, each with a new token',
    tried: HALF_OPEN,
    outcome: `${sockets.length} let in, ${refused} refused; at most ${open} open, ${gone}`,
    cpuMs: used,
    heldBytes,
    holds: open > 0 && open <= HALF_OPEN_MAX && isGone() && heldBytes <= HELD_MAX,
  };
}

async function replay(stage: Stage, identity: Identity): Promise<AbuseFigures> {
  const before = { cpu: cpuMs(stage.pid), bytes: await liveBytes(stage.inspector, stage.url) };
  const token = await makeHostToken(identity, Date.now());
  const dials = await Promise.all(Array.from({ length: 100 }, () => dial(stage, token)));
  const sockets = dials.filter((made) => typeof made !== 'number');
  for (const socket of sockets) socket.terminate();
  const heldBytes = (await liveBytes(stage.inspector, stage.url)) - before.bytes;
  return {
    what: 'one token, shown again and again',
    tried: dials.length,
    outcome: `${sockets.length} let in`,
    cpuMs: cpuMs(stage.pid) - before.cpu,
    heldBytes,
    holds: sockets.length === 1,
  };
}

/** @returns the open socket, or the status of the refusal */
function dial(stage: Stage, token: string): Promise<WebSocket | number> {
  const url = new URL('/link?shard=0', stage.url.href.replace('http', 'ws'));
  const socket = new WebSocket(url, { headers: { authorization: `Bearer ${token}` }, perMessageDeflate: false });
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(socket));
    socket.once('unexpected-response', (asked, response) => {
      asked.destroy();
      resolve(response.statusCode ?? 0);
    });
    socket.on('error', reject);
  });
}

function at(identities: readonly Identity[], n: number): Identity {
  const identity = identities[n];
  if (identity === undefined) throw new Error('Too few hosts');
  return identity;
}
