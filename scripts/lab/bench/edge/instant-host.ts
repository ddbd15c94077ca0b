import { decodeJwt } from 'jose';
import { WebSocket } from 'ws';
import * as z from 'zod';
import { identify, makeHostToken } from '../../../../prober/link/identity.ts';
import { enrolmentSchema } from '../../../../schema/enrolment.ts';
import {
  jobClaimsSchema,
  jobPayloadSchema,
  LINK_VERSION,
  type LinkEvidence,
  PING,
  PING_EVERY_MS,
  PONG,
  type ToEdge,
  toHostSchema,
} from '../../../../schema/link.ts';

// Both hosts of the bench, in a process of their own: one that echoes for the floor, and one that knows every answer
// before it is asked. Started with an enrolment and the floor's URL as JSON; says 'ready' when both are connected.

const v = LINK_VERSION;
const MX = [{ n: 0, mx: ['mx.bench.test'], mxFound: true }];
const EVIDENCE: LinkEvidence = {
  mx: 0,
  signals: { disposable: false, free: false, role: false, typoOf: null },
  outcome: { kind: 'accepted', reply: { code: 250, enhanced: '2.1.5' }, madeUp: { kind: 'refused' } },
};

const { enrolment, floor } = z
  .object({ enrolment: enrolmentSchema, floor: z.url() })
  .parse(JSON.parse(process.argv[2] ?? ''));

await Promise.all([echo(new URL('/link', floor)), serve()]);
process.stdout.write('ready\n');

function echo(url: URL): Promise<void> {
  url.protocol = 'ws:';
  const socket = new WebSocket(url, { perMessageDeflate: false });
  socket.on('message', (data) => socket.send(text(data)));
  return new Promise((resolve) => socket.once('open', () => resolve()));
}

async function serve(): Promise<void> {
  const identity = identify(enrolment, crypto.randomUUID(), Date.now());
  const url = new URL('/link?shard=0', enrolment.origin);
  url.protocol = 'ws:';
  const authorization = `Bearer ${await makeHostToken(identity, Date.now())}`;
  const socket = new WebSocket(url, { headers: { authorization }, perMessageDeflate: false });
  const send = (frame: ToEdge): void => socket.send(JSON.stringify(frame));
  const welcome = Promise.withResolvers<void>();
  socket.once('open', () =>
    send({
      v,
      type: 'hello',
      instance: identity.instance,
      routes: false,
      egress: ['default'],
      running: [],
      healthy: true,
      version: '0.0.0',
      startedAt: identity.startedAt,
      slots: 20_000,
    }),
  );
  socket.on('message', (data) => {
    if (text(data) === PONG) return;
    const frame = toHostSchema.parse(JSON.parse(text(data)));
    if (frame.type === 'welcome') welcome.resolve();
    if (frame.type !== 'job') return;
    const { job } = jobClaimsSchema.parse(decodeJwt(frame.token));
    const { addresses } = jobPayloadSchema.parse(JSON.parse(frame.payload));
    send({ v, type: 'evidence', job, mx: MX, items: addresses.map((_, index) => ({ index, evidence: EVIDENCE })) });
  });
  await welcome.promise;
  setInterval(() => socket.send(PING), PING_EVERY_MS);
}

function text(data: unknown): string {
  return Buffer.isBuffer(data) ? data.toString('utf8') : '';
}
