import * as z from 'zod';
import {
  accountBodySchema,
  accountIdSchema,
  grantBodySchema,
  hostBodySchema,
  hostStateBodySchema,
  keyBodySchema,
  keyIdSchema,
  purchaseIdSchema,
  STATEMENT_ROWS_MAX,
} from '../../schema/admin.ts';
import { hostIdSchema } from '../../schema/enrolment.ts';
import { createAccount, showAccount } from './accounts.ts';
import { grantCredits, showStatement } from './credits.ts';
import { addHost, listHosts, removeHost, setHostState } from './hosts.ts';
import { createKey, deleteKey, listKeys } from './keys.ts';
import { noBody, route, type Route } from './route.ts';

export const ADMIN_ROOT = '/admin/v1';

const none = z.strictObject({});
const account = z.strictObject({ account: accountIdSchema });
const key = z.strictObject({ key: keyIdSchema });
const host = z.strictObject({ host: hostIdSchema });
const purchase = z.strictObject({ account: accountIdSchema, purchase: purchaseIdSchema });
const page = z.strictObject({
  account: accountIdSchema,
  limit: z
    .string()
    .regex(/^\d{1,3}$/)
    .transform(Number)
    .pipe(z.int().min(1).max(STATEMENT_ROWS_MAX))
    .optional(),
  /** The `next` of the page before. */
  before: z.string().min(1).max(200).optional(),
});

/** Everything an operator can do. PUT names what it makes, so that repeating it is harmless. */
export const ROUTES: readonly Route[] = [
  route('PUT', 'accounts/:account', account, accountBodySchema, createAccount),
  route('GET', 'accounts/:account', account, noBody, showAccount),
  route('GET', 'accounts/:account/ledger', page, noBody, showStatement),
  route('GET', 'accounts/:account/keys', account, noBody, listKeys),
  route('PUT', 'accounts/:account/grants/:purchase', purchase, grantBodySchema, grantCredits),
  route('PUT', 'keys/:key', key, keyBodySchema, createKey),
  route('DELETE', 'keys/:key', key, noBody, deleteKey),
  route('GET', 'hosts', none, noBody, listHosts),
  route('PUT', 'hosts/:host', host, hostBodySchema, addHost),
  route('PUT', 'hosts/:host/state', host, hostStateBodySchema, setHostState),
  route('DELETE', 'hosts/:host', host, noBody, removeHost),
];
