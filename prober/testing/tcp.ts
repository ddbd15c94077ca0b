import type { Socket } from 'node:net';
import { Cancel } from '../engine/ports/cancel.ts';
import type { Connection, ReadAnswer } from '../engine/ports/ports.ts';
import { createDial } from '../node/dial.ts';
import { startPeer } from './peer.ts';

export const dial = createDial();

const closers: Array<() => Promise<void> | void> = [];

/** Done at the end of the test. */
export function whenDone(close: () => Promise<void> | void): void {
  closers.push(close);
}

export async function closeAll(): Promise<void> {
  for (const close of closers.splice(0)) await close();
}

/** A server that serves like this, and a connection to it. */
export async function connected(serve: (socket: Socket) => void): Promise<Connection> {
  const peer = await startPeer(serve);
  const answer = await dial({ ip: peer.ip, port: peer.port, from: null }, new Cancel());
  if (answer.kind !== 'connected') throw new Error(answer.kind);
  closers.push(() => answer.connection.destroy(), peer.close);
  return answer.connection;
}

export const read = (connection: Connection): Promise<ReadAnswer> =>
  new Promise((done) =>
    connection.read((answer) =>
      done(answer.kind === 'bytes' ? { kind: 'bytes', bytes: answer.bytes.slice() } : answer),
    ),
  );

export async function readText(connection: Connection): Promise<string> {
  const answer = await read(connection);
  return answer.kind === 'bytes' ? Buffer.from(answer.bytes).toString('latin1') : answer.kind;
}
