import { once } from 'node:events';
import { afterEach, expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { type ToHost } from '../../schema/link.ts';
import { IDLE_STATUS } from '../testing/idle-status.ts';
import { play } from '../testing/jobs-play.ts';
import { makeEnrolment } from '../testing/make-enrolment.ts';
import { connect } from './connect.ts';
import { identify } from './identity.ts';
import { Link } from './link.ts';
import { TIMINGS } from './timings.ts';

const NOON = Date.parse('2026-11-21T12:00:00Z');
const servers: WebSocketServer[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    for (const socket of server.clients) socket.terminate();
    server.close();
  }
});

/** A Fleet object on loopback that a link dials in to. */
async function dialIn(onSettings: () => Promise<void> = () => Promise.resolve()) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  server.on('headers', (headers) => headers.push(`Date: ${new Date(NOON).toUTCString()}`));
  servers.push(server);
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const identity = identify(makeEnrolment('probe-1', `http://127.0.0.1:${port}`), 'instance-of-16-chars', 0);
  const { jobs, clock } = play();
  const wall = { ms: NOON };
  const bugs: unknown[] = [];
  const ordered = Promise.withResolvers<void>();
  const link = new Link(0, {
    connect,
    identity: () => identity,
    egress: ['default'],
    routes: false,
    version: '1.0.0',
    jobs,
    status: () => IDLE_STATUS,
    clock,
    random: Math.random,
    wallClock: () => wall.ms,
    timings: TIMINGS,
    log: (event) => (event === 'ordered' ? ordered.resolve() : undefined),
    onSettings,
    onFatal: () => {},
    onBug: (error) => bugs.push(error),
  });
  const connected: Promise<WebSocket[]> = once(server, 'connection');
  link.open();
  const [socket] = await connected;
  if (socket === undefined) throw new Error('nobody dialled in');
  return {
    bugs,
    clock,
    link,
    ordered: ordered.promise,
    wall,
    send: (frame: ToHost) => socket.send(JSON.stringify(frame)),
  };
}

it('handles further frames after one that hit a bug', async () => {
  const { bugs, ordered, send } = await dialIn(() => Promise.reject(new Error('odd')));
  send({ v: 1, type: 'settings', token: 't' });
  send({ v: 1, type: 'drain', draining: true });
  await ordered;
  expect(bugs).toEqual([new Error('odd')]);
});

it.each([
  ['goes on as time does', 600_000, 600_000, 0],
  ['jumps ahead', 600_000, 1_000, 599],
  ['jumps back', -60_000, 1_000, -61],
  ['is slow', 55_000, 60_000, -5],
])('knows how far its own clock is ahead while it is linked: one that %s', async (_what, wallMs, passedMs, ahead) => {
  const { clock, link, send, ordered, wall } = await dialIn();
  send({ v: 1, type: 'drain', draining: true });
  await ordered;
  expect(link.aheadS).toBe(0);
  wall.ms += wallMs;
  await clock.advance(passedMs);
  expect(link.aheadS).toBe(ahead);
});
