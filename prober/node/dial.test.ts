import { networkInterfaces } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Cancel } from '../engine/ports/cancel.ts';
import type { Connection } from '../engine/ports/ports.ts';
import { startPeer } from '../testing/peer.ts';
import { closeAll, connected, dial, read, readText, whenDone } from '../testing/tcp.ts';

const never = new Cancel();
afterEach(closeAll);

/** Everything until the end, and how it ended. */
async function drain(connection: Connection): Promise<{ text: string; over: string }> {
  let text = '';
  for (;;) {
    const answer = await read(connection);
    if (answer.kind !== 'bytes') return { text, over: answer.kind };
    text += Buffer.from(answer.bytes).toString('latin1');
  }
}

describe('dial', () => {
  it('connects to an address, and reads and writes bytes', async () => {
    const connection = await connected((socket) => {
      socket.write('220 hello\r\n');
      socket.on('data', (bytes) => socket.write(`got ${bytes.toString()}`));
    });
    expect(await readText(connection)).toBe('220 hello\r\n');
    connection.write('EHLO\r\n');
    expect(await readText(connection)).toBe('got EHLO\r\n');
  });

  it('connects over IPv6, or has no route if this machine has none', async () => {
    if (!Object.values(networkInterfaces()).some((of) => of?.some(({ address }) => address === '::1'))) {
      expect(await dial({ ip: '::1', port: 25, from: null }, never)).toEqual({ kind: 'no_route' });
      return;
    }
    const peer = await startPeer((socket) => socket.end('six'), '::1');
    whenDone(peer.close);
    const answer = await dial({ ip: '::1', port: peer.port, from: '::1' }, never);
    expect(answer.kind === 'connected' && (await drain(answer.connection))).toEqual({ text: 'six', over: 'closed' });
    if (answer.kind === 'connected') answer.connection.destroy();
  });

  it('comes from the given local address', async () => {
    const peer = await startPeer((socket) => socket.end(String(socket.remoteAddress)));
    whenDone(peer.close);
    const answer = await dial({ ip: peer.ip, port: peer.port, from: '127.0.0.77' }, never);
    if (answer.kind !== 'connected') throw new Error(answer.kind);
    expect(await readText(answer.connection)).toBe('127.0.0.77');
    answer.connection.destroy();
  });

  it('fails if the port is closed', async () => {
    const peer = await startPeer(() => undefined);
    await peer.close();
    expect(await dial({ ip: peer.ip, port: peer.port, from: null }, never)).toEqual({ kind: 'failed' });
  });

  it.each([
    ['a local address that this host does not have', { ip: '127.0.0.1', from: '192.0.2.77' }],
    ['a local address of the other family', { ip: '127.0.0.1', from: '::1' }],
    ['an address of a family that is not routed', { ip: '255.255.255.255', from: null }],
  ])('has no route with %s', async (_name, { ip, from }) => {
    expect(await dial({ ip, port: 25, from }, never)).toEqual({ kind: 'no_route' });
  });

  it('distinguishes an immediate reset from a refusal, however the two race', async () => {
    const peer = await startPeer((socket) => socket.resetAndDestroy());
    whenDone(peer.close);
    const told = new Set<string>();
    for (let n = 0; n < 200; n += 1) {
      const answer = await dial({ ip: peer.ip, port: peer.port, from: null }, never);
      told.add(answer.kind === 'connected' ? (await drain(answer.connection)).over : answer.kind);
      if (answer.kind === 'connected') answer.connection.destroy();
    }
    expect([...told].filter((kind) => kind !== 'reset' && kind !== 'lost')).toEqual([]);
  });

  it('rejects a name', () => {
    expect(() => dial({ ip: 'localhost', port: 25, from: null }, never)).toThrow('not a name');
    expect(() => dial({ ip: '', port: 25, from: null }, never)).toThrow('not a name');
  });

  it('is aborted when it is cancelled, before and during the connection attempt', async () => {
    const peer = await startPeer(() => undefined);
    whenDone(peer.close);
    const target = { ip: peer.ip, port: peer.port, from: null };
    const cancel = new Cancel();
    const answer = dial(target, cancel);
    cancel.cancel();
    expect(await answer).toEqual({ kind: 'aborted' });
    expect(await dial(target, cancel)).toEqual({ kind: 'aborted' });
  });
});

describe('reading', () => {
  it('distinguishes an ended connection from a reset one, after all its bytes', async () => {
    const ended = await connected((socket) => socket.end('bye'));
    expect(await drain(ended)).toEqual({ text: 'bye', over: 'closed' });
    expect(await readText(ended)).toBe('closed');
    const reset = await connected((socket) => {
      socket.write('220 \r\n');
      socket.on('data', () => socket.resetAndDestroy());
    });
    expect(await readText(reset)).toBe('220 \r\n');
    reset.write('EHLO\r\n');
    expect(await drain(reset)).toEqual({ text: '', over: 'lost' });
  });

  it('continues after the peer ended its side: our writes still arrive', async () => {
    const heard = Promise.withResolvers<string>();
    const connection = await connected((socket) => {
      socket.end('half');
      socket.on('data', (bytes) => heard.resolve(bytes.toString()));
    });
    expect(await drain(connection)).toEqual({ text: 'half', over: 'closed' });
    connection.write('QUIT\r\n');
    expect(await heard.promise).toBe('QUIT\r\n');
  });

  it("leaves back-pressure to TCP: a talkative peer can only fill the system's buffers", async () => {
    let sent = 0;
    const connection = await connected((socket) => {
      const chunk = Buffer.alloc(65_536, 'x');
      const flood = (): void => {
        sent += chunk.length;
        if (!socket.destroyed && sent < 64 * 2 ** 20) socket.write(chunk, flood);
      };
      flood();
    });
    // The peer is stuck once nothing more is sent for a while.
    for (let before = -1; before !== sent; await sleep(50)) before = sent;
    const stuckAt = sent;
    expect(stuckAt).toBeLessThan(32 * 2 ** 20);
    const first = await read(connection);
    expect(first.kind === 'bytes' && first.bytes.length).toBeLessThanOrEqual(65_536);
    // It continues as soon as something is read.
    for (let taken = 0; taken < stuckAt + 2 ** 20;) {
      const answer = await read(connection);
      if (answer.kind !== 'bytes') throw new Error(answer.kind);
      taken += answer.bytes.length;
    }
    expect(sent).toBeGreaterThan(stuckAt);
  });

  it('keeps unread bytes apart between connections', async () => {
    const early = await connected((socket) => socket.write('aaaa'));
    const speaking = await connected((socket) => socket.on('data', () => socket.write('bbbb')));
    speaking.write('x');
    expect(await readText(speaking)).toBe('bbbb');
    expect(await readText(early)).toBe('aaaa');
  });
});

describe('writing', () => {
  it('gives up on a peer that does not read', async () => {
    const connection = await connected((socket) => socket.pause());
    const chunk = 'x'.repeat(65_536);
    for (let i = 0; i < 1_000; i++) connection.write(chunk);
    expect(await readText(connection)).toBe('lost');
  });
});

describe('ending', () => {
  it('sends everything written, and frees the socket once the peer has said goodbye', async () => {
    const heard = Promise.withResolvers<string>();
    const freed = Promise.withResolvers<boolean>();
    const connection = await connected((socket) => {
      socket.on('data', (bytes) => {
        heard.resolve(bytes.toString());
        socket.write('250 late\r\n221-good\r\n221 bye\r\n');
      });
      socket.on('end', () => socket.destroy());
      socket.on('close', (hadError) => freed.resolve(hadError));
    });
    connection.write('QUIT\r\n');
    // The time allowed to a silent peer never ends.
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    whenDone(() => void vi.useRealTimers());
    connection.end();
    expect(await readText(connection)).toBe('closed');
    expect(await heard.promise).toBe('QUIT\r\n');
    expect(await freed.promise).toBe(false);
  });

  it('frees the socket of a peer that never ends', async () => {
    const gone = Promise.withResolvers<void>();
    const connection = await connected((socket) => {
      socket.on('end', () => {
        // A write finds out whether the other side is still there.
        const timer = setInterval(() => socket.write('x'), 20);
        socket.on('close', () => clearInterval(timer));
      });
      socket.on('close', gone.resolve);
      socket.resume();
    });
    connection.end();
    await gone.promise;
  });

  it('frees the socket of a peer that keeps talking, and reads little of it', async () => {
    const gone = Promise.withResolvers<void>();
    let sent = 0;
    const connection = await connected((socket) => {
      const chunk = Buffer.alloc(65_536);
      const flood = setInterval(() => (sent += socket.write(chunk) ? chunk.length : 0), 1);
      socket.on('drain', () => (sent += chunk.length));
      socket.on('close', () => {
        clearInterval(flood);
        gone.resolve();
      });
    });
    connection.end();
    await gone.promise;
    expect(sent).toBeLessThan(8 * 2 ** 20);
  });

  it('destroys at once, and what was read or is read then is lost', async () => {
    const gone = Promise.withResolvers<void>();
    const connection = await connected((socket) => {
      socket.on('end', gone.resolve);
      socket.resume();
    });
    const waiting = readText(connection);
    connection.destroy();
    expect([await waiting, await readText(connection)]).toEqual(['lost', 'lost']);
    await gone.promise;
  });
});
