import { Command } from 'commander';
import * as z from 'zod';
import { accountIdSchema, type OrderOfAccount, type OrdersPage, STATEMENT_ROWS_MAX } from '../../../schema/admin.ts';
import { ORDER_FILTERS } from '../../../schema/words/stored.ts';
import { apiOf } from '../connection/connection.ts';
import { amount, print, table, when } from '../output/print.ts';
import { wholeNumber } from '../../base/command-line.ts';
import { checked } from '../../base/usage-error.ts';

const STATES = ORDER_FILTERS.join(', ');
const listOptions = z.object({
  state: z.enum(ORDER_FILTERS, { error: `--state must be one of ${STATES}` }).optional(),
  account: accountIdSchema.optional(),
  before: z.string().optional(),
});

/** `order list`. */
export function orderCommand(write: (text: string) => void): Command {
  const order = new Command('order').description('inspect orders');
  order
    .command('list')
    .description("list orders, newest first, with Stripe's ids")
    .option('--state <state>', STATES)
    .option('--account <account>', 'only orders of this account')
    .option(
      '--rows <number>',
      `number of orders, at most ${STATEMENT_ROWS_MAX}`,
      wholeNumber(1, STATEMENT_ROWS_MAX),
      100,
    )
    .option('--before <place>', 'continue before this order')
    .action(async (options: { rows: number }, command: Command) => {
      const wanted = checked(listOptions, options, '--state or --account');
      const page = await (await apiOf(command)).listOrders({ limit: options.rows, ...wanted });
      print(command, write, page, orderLines(page));
    });
  return order;
}

function orderLines({ orders, next }: OrdersPage): readonly string[] {
  if (orders.length === 0) return ['no orders'];
  return [
    ...table([
      ['time', 'order', 'account', 'credits', 'price', 'state', 'at Stripe'],
      ...orders.map((order) => [
        when(order.createdAt, ''),
        order.id,
        order.accountId,
        amount(order.credits),
        price(order.amount, order.currency),
        stateOf(order),
        order.paymentId ?? order.checkoutId ?? '-',
      ]),
    ]),
    ...(next === null ? [] : [`older orders: --before ${next}`]),
  ];
}

function stateOf({ state, refunded, currency, dispute }: OrderOfAccount): string {
  return [
    state,
    ...(refunded > 0 ? [`refunded ${price(refunded, currency)}`] : []),
    ...(dispute === null ? [] : [`dispute ${dispute}`]),
  ].join(', ');
}

/** @param minor whole minor units, such as cents */
function price(minor: number, currency: string): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency, currencyDisplay: 'code' });
  return format.format(minor / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2)).replaceAll('\u00A0', ' ');
}
