import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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
  it('gives the bytes as they came, however they were cut', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ minLength: 1, maxLength: 50 }), { maxLength: 10 }), async (chunks) => {
        const read = await readBody(post(chunks), 500);
        expect([...read]).toEqual(chunks.flatMap((chunk) => [...chunk]));
      }),
      { numRuns: 50 },
    );
  });

  it('takes as many bytes as are allowed and not one more, and then lets go of the rest', async () => {
    const half = new Uint8Array(50);
    expect(await readBody(post([half, half]), 100)).toHaveLength(100);
    let cancelled = false;
    const tooLong = post([half, half, new Uint8Array(1), half], {}, () => {
      cancelled = true;
    });
    await expect(readBody(tooLong, 100)).rejects.toMatchObject({ failure: 'BODY_TOO_LARGE' });
    expect(cancelled).toBe(true);
  });

  it('does not begin to read what calls itself too long', async () => {
    const request = post([new Uint8Array(1)], { 'content-length': '101' });
    await expect(readBody(request, 100)).rejects.toMatchObject({ failure: 'BODY_TOO_LARGE' });
    expect(request.bodyUsed).toBe(false);
  });

  it('believes no small Content-Length', async () => {
    const request = post([new Uint8Array(101)], { 'content-length': '5' });
    await expect(readBody(request, 100)).rejects.toMatchObject({ failure: 'BODY_TOO_LARGE' });
  });

  it('is empty if there is no body', async () => {
    expect(await readBody(new Request('https://rcpt.test/', { method: 'POST' }), 100)).toHaveLength(0);
  });
});
