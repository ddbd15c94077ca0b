import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { unlessStopped } from './world.ts';

test('work is waited for no longer than the user waits, and leaves no listener behind', async () => {
  const stop = new AbortController();
  expect(await unlessStopped(stop.signal, Promise.resolve(7))).toBe(7);
  await expect(unlessStopped(stop.signal, Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
  const waiting = unlessStopped(stop.signal, new Promise(() => {}));
  stop.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  await expect(unlessStopped(stop.signal, Promise.resolve(7))).rejects.toThrow('enough');
});
