import { expect, expectTypeOf, test } from 'vitest';
import {
  type Account,
  type AccountsPage,
  type HostEntry,
  type LedgerPage,
  ORDER_FILTERS,
  type OrdersPage,
} from '../../edge/dashboard/contract/operator-api.ts';
import * as admin from '../../schema/admin.ts';

// The pages have types of their own, because they import the client alone. What drifts does not compile.

test('what the pages read of the operator’s API is what it answers', () => {
  expectTypeOf<admin.Account>().toExtend<Account>();
  expectTypeOf<admin.HostEntry>().toExtend<HostEntry>();
  expectTypeOf<admin.Accounts>().toExtend<AccountsPage>();
  expectTypeOf<admin.Statement>().toExtend<LedgerPage>();
  expectTypeOf<admin.OrdersPage>().toExtend<OrdersPage>();
  expect(ORDER_FILTERS).toEqual(admin.ORDER_FILTERS);
});
