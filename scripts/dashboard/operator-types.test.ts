import { expectTypeOf, test } from 'vitest';
import type { Account, HostEntry } from '../../edge/dashboard/contract/operator-api.ts';
import type * as admin from '../../schema/admin.ts';

// The pages have types of their own, because they import the client alone. What drifts does not compile.

test('what the pages read of the operator’s API is what it answers', () => {
  expectTypeOf<admin.Account>().toExtend<Account>();
  expectTypeOf<admin.HostEntry>().toExtend<HostEntry>();
});
