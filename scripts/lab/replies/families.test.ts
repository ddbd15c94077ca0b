import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ofPart, parsePart } from './families.ts';
import type { Labelled } from './labelled.ts';

const of = (id: string, source: string): Labelled => ({
  id,
  raw: '550 x',
  stage: 'rcpt',
  expected: 'unexpected',
  also: [],
  source,
});

describe('a part of the families', () => {
  test('has each source whole, and every reply is in one part', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1 }), fc.integer({ min: 1, max: 9 }), (sources, parts) => {
        const replies = sources.flatMap((source) => [of('a', source), of('b', source)]);
        const shared = Array.from({ length: parts }, (_, at) => ofPart(replies, { part: at + 1, of: parts }));
        expect(shared.flat()).toHaveLength(replies.length);
        const partsOf = (source: string): number =>
          shared.filter((one) => one.some((reply) => reply.source === source)).length;
        expect(sources.map(partsOf)).toEqual(sources.map(() => 1));
      }),
    );
  });

  test.each(['0/2', '3/2', '1', 'a/b', '1/2/3', ''])('is not %j', (text) => {
    expect(() => parsePart(text)).toThrow('Not a part');
  });

  test('is one of some', () => {
    expect(parsePart('2/3')).toEqual({ part: 2, of: 3 });
  });
});
