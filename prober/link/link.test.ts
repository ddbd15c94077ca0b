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

const servers: WebSocketServer[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    for (const socket of server.clients) socket.terminate();
    server.close();
  }
});

/** A Fleet object on loopback that a link dials in to. */
async function dialIn(onSettings: () => Promise<void>) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  servers.push(server);
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const identity = identify(makeEnrolment('probe-1', `http://127.0.0.1:${port}`), 'instance-of-16-chars', 0);
  const { jobs, clock } = play();
  const bugs: unknown[] = [];
  const ordered = Promise.withResolvers<void>();
  const link = new Link(0, {
    connect,
    identity: () => identity,
    egress: ['default'],
    routes: false,
    jobs,
    status: () => IDLE_STATUS,
    clock,
    random: Math.random,
    wallClock: () => 0,
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
  return { bugs, ordered: ordered.promise, send: (frame: ToHost) => socket.send(JSON.stringify(frame)) };
}

it('handles further frames after one that hit a bug', async () => {
  const { bugs, ordered, send } = await dialIn(() => Promise.reject(new Error('odd')));
  send({ v: 1, type: 'settings', token: 't' });
  send({ v: 1, type: 'drain', draining: true });
  await ordered;
  expect(bugs).toEqual([new Error('odd')]);
});
