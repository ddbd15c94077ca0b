import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { readBody } from './body.ts';

function post(chunks: readonly Uint8Array[], headers: Record<string, string> = {}, onCancel = (): void => {}): Request {
  let next = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = chunks[next];
      next += 1;
      if (chunk === undefined) controller.close();
      else controller.enqueue(chunk);
    },
    cancel: onCancel,
  });
  return new Request('https://rcpt.test/', { method: 'POST', body: stream, headers, duplex: 'half' });
}

describe('readBody', () => {
  it('returns the bytes as sent, however they were chunked', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ minLength: 1, maxLength: 50 }), { maxLength: 10 }), async (chunks) => {
        const read = await readBody(post(chunks), 500);
        expect([...read]).toEqual(chunks.flatMap((chunk) => [...chunk]));
      }),
      { numRuns: 50 },
    );
  });

  it('accepts as many bytes as allowed and not one more, and then cancels the rest', async () => {
    const half = new Uint8Array(50);
    expect(await readBody(post([half, half]), 100)).toHaveLength(100);
    let cancelled = false;
    const tooLong = post([half, half, new Uint8Array(1), half], {}, () => {
      cancelled = true;
    });
    await expect(readBody(tooLong, 100)).rejects.toMatchObject({ failure: 'BODY_TOO_LARGE' });
    expect(cancelled).toBe(true);
  });

  it('rejects a declared length that is too long without reading', async () => {
    const request = post([new Uint8Array(1)], { 'content-length': '101' });
    await expect(readBody(request, 100)).rejects.toMatchObject({ failure: 'BODY_TOO_LARGE' });
    expect(request.bodyUsed).toBe(false);
  });

  it('does not trust a small Content-Length', async () => {
    const request = post([new Uint8Array(101)], { 'content-length': '5' });
    await expect(readBody(request, 100)).rejects.toMatchObject({ failure: 'BODY_TOO_LARGE' });
  });

  it('keeps a body of single bytes in at most twice its length', async () => {
    const read = await readBody(post(Array.from({ length: 500 }, (_, at) => Uint8Array.of(at % 256))), 500);
    expect([...read]).toEqual(Array.from({ length: 500 }, (_, at) => at % 256));
    expect(read.buffer.byteLength).toBeLessThanOrEqual(1_000);
  });

  it('accepts five thousand chunks and not one more', async () => {
    const [most, more] = [5_000, 5_001].map((count) => post(Array.from({ length: count }, () => Uint8Array.of(32))));
    expect(await readBody(most ?? post([]), 51_200)).toHaveLength(5_000);
    await expect(readBody(more ?? post([]), 51_200)).rejects.toMatchObject({ failure: 'INVALID_INPUT' });
  });

  it.each([
    ['stops', () => new Promise<void>(() => {})],
    ['arrives at a byte a second', () => new Promise<void>((wake) => setTimeout(wake, 1_000))],
  ])('waits half a minute for a body that %s, then cancels it', async (_how, pause) => {
    vi.useFakeTimers();
    try {
      let cancelled = false;
      const stream = new ReadableStream<Uint8Array>({
        async pull(controller) {
          await pause();
          controller.enqueue(Uint8Array.of(32));
        },
        cancel: () => {
          cancelled = true;
        },
      });
      const request = new Request('https://rcpt.test/', { method: 'POST', body: stream, duplex: 'half' });
      const read = expect(readBody(request, 500)).rejects.toMatchObject({ failure: 'INVALID_INPUT' });
      await vi.advanceTimersByTimeAsync(30_000);
      await read;
      expect(cancelled).toBe(true);
      expect(vi.getTimerCount()).toBeLessThanOrEqual(1);
    } finally {
      vi.useRealTimers();
    }
  });

  it('returns no bytes if there is no body', async () => {
    expect(await readBody(new Request('https://rcpt.test/', { method: 'POST' }), 100)).toHaveLength(0);
  });
});
