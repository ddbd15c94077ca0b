import { describe, expect, test } from 'vitest';
import { createTemplates } from '../../engine/meaning/templates.ts';
import { rawReply } from '../../testing/raw-reply.ts';
import { askReplies, readReplies, REPLIES_MAX, REPLIES_PATH } from './replies.ts';
import { serveMetrics } from './serve-metrics.ts';

async function serving(text: string): Promise<number> {
  const page = { contentType: 'application/json', text: async () => text };
  const served = await serveMetrics(0, { [REPLIES_PATH]: page });
  if ('failed' in served) throw new Error(served.failed);
  return served.port;
}

describe('replies that no rule knows', () => {
  test('are read as their host counts them, the longest too', async () => {
    const templates = createTemplates(10);
    for (const [n, name] of ['ann', 'bob', 'cyd'].entries()) {
      const recipient = { local: name, domain: `${name}-firm.example` };
      templates.count(rawReply(`550 5.0.0 ${'strange words '.repeat(100)}`), recipient, `198.51.${n}.1`);
    }
    const replies = templates.top(REPLIES_MAX);
    expect(replies).toHaveLength(1);
    expect(await askReplies(await serving(JSON.stringify({ replies })))).toEqual({ replies });
  });

  test('are none where nobody answers, or somebody else does', async () => {
    expect(await askReplies(await serving('<html>'))).toBeNull();
    expect(await askReplies(1)).toBeNull();
  });

  test.each([
    ['control characters', [{ template: '550 \u001b[2J', count: 3, networks: 3 }]],
    ['a text without end', [{ template: 'x'.repeat(10_000), count: 3, networks: 3 }]],
    [
      'more than were asked for',
      Array.from({ length: REPLIES_MAX + 1 }, () => ({ template: '550 x', count: 3, networks: 3 })),
    ],
    ['a count that is none', [{ template: '550 x', count: -1, networks: 3 }]],
  ])('are refused if they have %s', (_what, replies) => {
    expect(readReplies(JSON.stringify({ replies }))).toBeNull();
  });
});
