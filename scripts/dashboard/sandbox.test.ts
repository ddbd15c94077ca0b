import { expect, test } from 'vitest';
import { SANDBOX } from '../../schema/words/sandbox.ts';
import { WORLD } from '../sandbox/world.ts';

test.each(SANDBOX)('the docs say of $address what the sandbox answers', ({ address, status }) => {
  expect(WORLD.find((row) => row.address === address)?.expected.status).toBe(status);
});
