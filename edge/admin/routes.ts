import * as z from 'zod';
import {
  accountBodySchema,
  accountIdSchema,
  correctionBodySchema,
  grantBodySchema,
  hostBodySchema,
  hostStateBodySchema,
  invitationBodySchema,
  keyBodySchema,
  keyIdSchema,
  optOutBodySchema,
  ownerBodySchema,
  purchaseIdSchema,
} from '../../schema/admin.ts';
import { hostIdSchema } from '../../schema/enrolment.ts';
import { type InputRoute, route } from '../base/route-input.ts';
import { accountsAsked, createAccount, listAccounts, setOwner, showAccount } from './accounts.ts';
import { correctCredits, grantCredits, showStatement, statementAsked } from './credits.ts';
import { addHost, listHosts, removeHost, setHostState } from './hosts.ts';
import { inviteHost } from './invitations.ts';
import { createKey, deleteKey } from './keys.ts';
import { addOptOut, listOptOuts, removeOptOut } from './opt-outs.ts';
import { listOrders, ordersAsked } from './orders.ts';
import type { Done, Services } from './operation.ts';
import { showOverview } from './overview.ts';

export const ADMIN_ROOT = '/admin/v1';

export type OperatorRoute = InputRoute<Services, Done>;

export const noBody = z.undefined({ error: 'this call takes no body' });

const none = z.strictObject({});
const account = z.strictObject({ account: accountIdSchema });
const key = z.strictObject({ key: keyIdSchema });
const host = z.strictObject({ host: hostIdSchema });
const purchase = z.strictObject({ account: accountIdSchema, purchase: purchaseIdSchema });

/** Polled by pages, `status` and rollouts. These change nothing and reveal nothing about customers. */
const POLLED: readonly string[] = [`${ADMIN_ROOT}/hosts`, `${ADMIN_ROOT}/overview`];

export function isPolled({ methods, path }: OperatorRoute): boolean {
  return methods.includes('GET') && POLLED.includes(path);
}

/** Everything an operator can do. PUT names what it creates, so that repeating it is harmless. */
export const ROUTES: readonly OperatorRoute[] = [
  route('GET', `${ADMIN_ROOT}/accounts`, { params: accountsAsked, body: noBody }, listAccounts),
  route('PUT', `${ADMIN_ROOT}/accounts/:account`, { params: account, body: accountBodySchema }, createAccount),
  route('GET', `${ADMIN_ROOT}/accounts/:account`, { params: account, body: noBody }, showAccount),
  route('PUT', `${ADMIN_ROOT}/accounts/:account/owner`, { params: account, body: ownerBodySchema }, setOwner),
  route('GET', `${ADMIN_ROOT}/accounts/:account/ledger`, { params: statementAsked, body: noBody }, showStatement),
  route(
    'PUT',
    `${ADMIN_ROOT}/accounts/:account/grants/:purchase`,
    { params: purchase, body: grantBodySchema },
    grantCredits,
  ),
  route(
    'PUT',
    `${ADMIN_ROOT}/accounts/:account/corrections/:purchase`,
    { params: purchase, body: correctionBodySchema },
    correctCredits,
  ),
  route('PUT', `${ADMIN_ROOT}/keys/:key`, { params: key, body: keyBodySchema }, createKey),
  route('DELETE', `${ADMIN_ROOT}/keys/:key`, { params: key, body: noBody }, deleteKey),
  route('GET', `${ADMIN_ROOT}/orders`, { params: ordersAsked, body: noBody }, listOrders),
  route('GET', `${ADMIN_ROOT}/hosts`, { params: none, body: noBody }, listHosts),
  route('PUT', `${ADMIN_ROOT}/hosts/:host`, { params: host, body: hostBodySchema }, addHost),
  route('PUT', `${ADMIN_ROOT}/hosts/:host/state`, { params: host, body: hostStateBodySchema }, setHostState),
  route('PUT', `${ADMIN_ROOT}/hosts/:host/invitation`, { params: host, body: invitationBodySchema }, inviteHost),
  route('GET', `${ADMIN_ROOT}/overview`, { params: none, body: noBody }, showOverview),
  route('DELETE', `${ADMIN_ROOT}/hosts/:host`, { params: host, body: noBody }, removeHost),
  // The domain is in the body, because paths are kept in the audit.
  route('GET', `${ADMIN_ROOT}/opt-outs`, { params: none, body: noBody }, listOptOuts),
  route('PUT', `${ADMIN_ROOT}/opt-outs`, { params: none, body: optOutBodySchema }, addOptOut),
  route('DELETE', `${ADMIN_ROOT}/opt-outs`, { params: none, body: optOutBodySchema }, removeOptOut),
];
