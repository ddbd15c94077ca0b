import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lockFolder } from './lock.ts';

test('a state folder has one user at a time, and the next one afterwards', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rcpt-lock-'));
  const first = await lockFolder(folder);
  await expect(lockFolder(folder)).rejects.toThrow(
    `The state folder ${folder} is in use by another run, process ${process.pid} on `,
  );
  await first.release();
  const second = await lockFolder(folder);
  await second.release();
});
