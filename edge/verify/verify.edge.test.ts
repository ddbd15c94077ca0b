import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEdge, type Edge } from '../testing/edge.ts';

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge({ RATE_LIMIT: '1000' });
});
afterAll(() => edge.stop());

describe('POST /api/v1/verify', () => {
  it('answers one element per entry, in their order', async () => {
    const { key } = await edge.customer(10);
    const answer = await edge.verify(key, [
      'b@dead.test',
      ' A@Good.test ',
      7,
      'no address',
      'a@good.test',
      'c@catchall.test',
    ]);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject([
      { email: 'b@dead.test', result: 'undeliverable', smtp_enhanced_code: '5.1.1' },
      { email: 'a@good.test', result: 'deliverable', status: 'valid', score: 95 },
      { email: 7, error: 'invalid' },
      { email: 'no address', reason: 'invalid_syntax' },
      { email: 'a@good.test', result: 'deliverable' },
      { email: 'c@catchall.test', result: 'catch-all' },
    ]);
  });

  it('charges a probed address once and gives back what earned it', async () => {
    const { key, accountId } = await edge.customer(10);
    await edge.verify(key, ['a@good.test', 'a@good.test', 'b@policy.test', 'nonsense', null]);
    expect(await edge.settled(accountId)).toEqual({
      balance: 9,
      rows: [
        ['hold', -2],
        ['return', 1],
      ],
    });
    expect(await edge.credits(key)).toBe(9);
  });
});
