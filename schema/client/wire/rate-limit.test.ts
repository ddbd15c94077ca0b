import { expect, test } from 'vitest';
import { readWindow } from './rate-limit.ts';

const WINDOW = { limit: 60, remaining: 9, resetS: 30 };

test.each([
  [{ 'ratelimit-limit': '60', 'ratelimit-remaining': '9', 'ratelimit-reset': '30' }, WINDOW],
  [{ ratelimit: 'limit=60, remaining=9, reset=30' }, WINDOW],
  [{ ratelimit: '"default";r=9;t=30', 'ratelimit-policy': '"default";q=60;w=60' }, WINDOW],
  [{ ratelimit: '"default";r=9 ;t=30 ', 'ratelimit-policy': '"default" ; q=60 ; w=60' }, WINDOW],
  [
    { ratelimit: '"default";r=9;t=30', 'ratelimit-policy': '"default";q=60x;w=60' },
    { ...WINDOW, limit: 9 },
  ],
  [{ ratelimit: '"default";r=9;t=30' }, { ...WINDOW, limit: 9 }],
  [{ ratelimit: '"default";r=0;t=30' }, { limit: 1, remaining: 0, resetS: 30 }],
  [{ ratelimit: '"default";r=9' }, null],
  [{ ratelimit: 'remaining=-1, reset=30' }, null],
  [{ 'ratelimit-limit': '60', 'ratelimit-remaining': 'x', 'ratelimit-reset': '30' }, null],
  [{}, null],
])('%j is the window %j', (headers, window) => {
  expect(readWindow(new Headers(headers))).toEqual(window);
});
