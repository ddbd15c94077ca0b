import * as z from 'zod';
import {
  accountBodySchema,
  accountIdSchema,
  ACCOUNTS_MAX,
  grantBodySchema,
  hostBodySchema,
  hostStateBodySchema,
  invitationBodySchema,
  keyBodySchema,
  keyIdSchema,
  optOutBodySchema,
  ORDER_FILTERS,
  ORDERS_MAX,
  ownerBodySchema,
  purchaseIdSchema,
  searchSchema,
  STATEMENT_ROWS_MAX,
} from '../../schema/admin.ts';
import { hostIdSchema } from '../../schema/enrolment.ts';
import { createAccount, listAccounts, setOwner, showAccount } from './accounts.ts';
import { grantCredits, showStatement } from './credits.ts';
import { addHost, listHosts, removeHost, setHostState } from './hosts.ts';
import { inviteHost } from './invitations.ts';
import { createKey, deleteKey, listKeys } from './keys.ts';
import { addOptOut, listOptOuts, removeOptOut } from './opt-outs.ts';
import { listOrders } from './orders.ts';
import { noBody, type OperatorRoute, route } from './route.ts';

export const ADMIN_ROOT = '/admin/v1';

const none = z.strictObject({});
const account = z.strictObject({ account: accountIdSchema });
const key = z.strictObject({ key: keyIdSchema });
const host = z.strictObject({ host: hostIdSchema });
const purchase = z.strictObject({ account: accountIdSchema, purchase: purchaseIdSchema });
const upTo = (max: number) =>
  z
    .string()
    .regex(/^\d{1,3}$/)
    .transform(Number)
    .pipe(z.int().min(1).max(max))
    .optional();
const accountsPage = z.strictObject({
  limit: upTo(ACCOUNTS_MAX),
  /** The `next` of the page before. */
  after: accountIdSchema.optional(),
  search: searchSchema.optional(),
});
const ordersPage = z.strictObject({
  account: accountIdSchema.optional(),
  state: z.enum(ORDER_FILTERS, { error: `must be one of ${ORDER_FILTERS.join(', ')}` }).optional(),
  limit: upTo(ORDERS_MAX),
  /** The `next` of the page before. */
  before: z.string().min(1).max(60).optional(),
});
const page = z.strictObject({
  account: accountIdSchema,
  limit: upTo(STATEMENT_ROWS_MAX),
  /** The `next` of the page before. */
  before: z.string().min(1).max(200).optional(),
});

/** Everything an operator can do. PUT names what it makes, so that repeating it is harmless. */
export const ROUTES: readonly OperatorRoute[] = [
  route('GET', `${ADMIN_ROOT}/accounts`, accountsPage, noBody, listAccounts),
  route('PUT', `${ADMIN_ROOT}/accounts/:account`, account, accountBodySchema, createAccount),
  route('GET', `${ADMIN_ROOT}/accounts/:account`, account, noBody, showAccount),
  route('PUT', `${ADMIN_ROOT}/accounts/:account/owner`, account, ownerBodySchema, setOwner),
  route('GET', `${ADMIN_ROOT}/accounts/:account/ledger`, page, noBody, showStatement),
  route('GET', `${ADMIN_ROOT}/accounts/:account/keys`, account, noBody, listKeys),
  route('PUT', `${ADMIN_ROOT}/accounts/:account/grants/:purchase`, purchase, grantBodySchema, grantCredits),
  route('PUT', `${ADMIN_ROOT}/keys/:key`, key, keyBodySchema, createKey),
  route('DELETE', `${ADMIN_ROOT}/keys/:key`, key, noBody, deleteKey),
  route('GET', `${ADMIN_ROOT}/orders`, ordersPage, noBody, listOrders),
  route('GET', `${ADMIN_ROOT}/hosts`, none, noBody, listHosts),
  route('PUT', `${ADMIN_ROOT}/hosts/:host`, host, hostBodySchema, addHost),
  route('PUT', `${ADMIN_ROOT}/hosts/:host/state`, host, hostStateBodySchema, setHostState),
  route('PUT', `${ADMIN_ROOT}/hosts/:host/invitation`, host, invitationBodySchema, inviteHost),
  route('DELETE', `${ADMIN_ROOT}/hosts/:host`, host, noBody, removeHost),
  // The domain stands in the body, because paths are kept in the audit.
  route('GET', `${ADMIN_ROOT}/opt-outs`, none, noBody, listOptOuts),
  route('PUT', `${ADMIN_ROOT}/opt-outs`, none, optOutBodySchema, addOptOut),
  route('DELETE', `${ADMIN_ROOT}/opt-outs`, none, optOutBodySchema, removeOptOut),
];
