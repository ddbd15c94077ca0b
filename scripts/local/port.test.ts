import net from 'node:net';
import { expect, test } from 'vitest';
import { listenOnFreePort } from '../sandbox/listening.ts';
import { waitForPort } from './port.ts';

test('a port that somebody has is an error that says what to do', async () => {
  const other = await listenOnFreePort(net.createServer());
  await expect(waitForPort(other.port, 0)).rejects.toThrow(
    `Port ${other.port} is in use: stop the program that uses it`,
  );
  await other.close();
});

test('a port that is given back in time is taken', async () => {
  const other = await listenOnFreePort(net.createServer());
  const waiting = waitForPort(other.port);
  await other.close();
  await expect(waiting).resolves.toBeUndefined();
});
