import { describe, expect, it } from 'vitest';
import { createLineStream } from './line-stream.ts';
import type { FleetLine } from '../../base/fleet-protocol.ts';

/** A line of some 2.6 kB. */
const LONG: FleetLine = {
  type: 'mx',
  n: 0,
  mx: Array.from({ length: 10 }, () => 'x'.repeat(253)),
  mxFound: true,
};
const END: FleetLine = { type: 'end', cause: 'done' };

describe('createLineStream', () => {
  it('counts bytes written and not read', async () => {
    const { stream, sink } = createLineStream(() => {});
    expect(sink.unread).toBe(0);
    sink.write([END, END]);
    const bytes = 2 * (JSON.stringify(END).length + 1);
    expect(sink.unread).toBe(bytes);
    const { value } = await stream.getReader().read();
    expect([value?.byteLength, sink.unread]).toEqual([bytes, 0]);
  });

  it('breaks off for a reader that is 4 MiB behind, and keeps nothing', async () => {
    const { stream, sink } = createLineStream(() => {});
    let most = 0;
    for (let n = 0; n < 3_000; n += 1) {
      sink.write([LONG]);
      most = Math.max(most, sink.unread);
    }
    expect(most).toBeGreaterThan(4_000_000);
    expect(most).toBeLessThan(4_200_000);
    expect(sink.unread).toBe(0);
    await expect(stream.getReader().read()).rejects.toThrow('too slow');
  });

  it('passes any amount to a reader that keeps up', async () => {
    const { stream, sink } = createLineStream(() => {});
    const reader = stream.getReader();
    let read = 0;
    for (let n = 0; n < 3_000; n += 1) {
      sink.write([LONG]);
      read += (await reader.read()).value?.byteLength ?? 0;
    }
    expect(read).toBe(3_000 * (JSON.stringify(LONG).length + 1));
  });
});
