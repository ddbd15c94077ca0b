import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../schema/testing/fake-clock.ts';
import type { FleetLine } from '../../base/fleet-protocol.ts';
import { createAnswer } from './answer.ts';

const MX: FleetLine = { type: 'mx', n: 0, mx: [], mxFound: false };
const END: FleetLine = { type: 'end', cause: 'done' };
const text = (lines: readonly FleetLine[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

describe('createAnswer', () => {
  it('answers in one piece if the end comes in time', async () => {
    const clock = new FakeClock();
    const { answer, sink } = createAnswer(2_000, clock, () => {});
    sink.write([MX]);
    await clock.advance(1_999);
    sink.write([END]);
    sink.end();
    expect(await answer).toEqual([MX, END]);
  });

  it.each([0, 2_000])('is a stream of all lines if the end takes longer than %i ms', async (gathersMs) => {
    const clock = new FakeClock();
    const { answer, sink } = createAnswer(gathersMs, clock, () => {});
    sink.write([MX]);
    await clock.advance(gathersMs);
    const stream = await answer;
    sink.write([END]);
    sink.end();
    expect(stream instanceof ReadableStream && (await new Response(stream).text())).toBe(text([MX, END]));
  });

  it('reports a reader that cancels the stream', async () => {
    const clock = new FakeClock();
    let letGo = 0;
    const { answer } = createAnswer(2_000, clock, () => (letGo += 1));
    await clock.advance(2_000);
    const stream = await answer;
    if (stream instanceof ReadableStream) await stream.cancel();
    expect(letGo).toBe(1);
  });
});
