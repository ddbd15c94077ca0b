import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { Browser } from '../../../../../edge/testing/browser.ts';
import { type AdminApi, adminApi } from '../../../../admin/connection/api.ts';
import { readOperatorKey } from '../../../../admin/connection/operator-key.ts';
import type { RunningService } from '../../../../testing/running-service.ts';
import { visitorOf } from '../../../../testing/visitor.ts';
import type { Counts } from './world.ts';

const CREDITS = 1_000_000;
const meSchema = z.object({ account: z.object({ id: z.string() }) });
const elementsSchema = z.array(z.object({ result: z.string(), reason: z.string().nullable() }));
const creditsSchema = z.object({ credits: z.int() });

type Call = Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> };

export type Answer = {
  readonly status: number;
  /** What Retry-After says, in seconds; null if nothing. */
  readonly retryS: number | null;
  /** Result and reason of the first element; null if there is none. */
  readonly first: { readonly result: string; readonly reason: string | null } | null;
};

/** What rows do to a running service: they open accounts and call with their keys. */
export class Stage {
  readonly counts: Readonly<Counts>;
  readonly admin: AdminApi;
  readonly #service: RunningService;
  readonly #url: string | URL;
  #keys = 0;

  private constructor(
    service: RunningService,
    admin: AdminApi,
    counts: Readonly<Counts>,
    url: string | URL = service.ready.url,
  ) {
    this.#service = service;
    this.#url = url;
    this.admin = admin;
    this.counts = counts;
  }

  static async open(service: RunningService, counts: Readonly<Counts>): Promise<Stage> {
    const { url, operatorKey } = service.ready;
    return new Stage(service, adminApi({ origin: url, operator: await readOperatorKey(operatorKey) }), counts);
  }

  /** The same, with calls that go to another Worker. */
  at(url: URL): Stage {
    return new Stage(this.#service, this.admin, this.counts, url);
  }

  /** An account that got credits from an operator, which counts as bought. @returns its id */
  async openBought(name: string): Promise<string> {
    await this.openEmpty(name);
    await this.admin.grant(name, 'first', CREDITS);
    return name;
  }

  /** An account that has nothing. */
  async openEmpty(name: string): Promise<string> {
    await this.admin.createAccount(name, name);
    return name;
  }

  /** An account that has welcome credits and no others, as a stranger with a domain gets one. */
  async openFree(name: string): Promise<string> {
    const browser = await this.visit(`${name}@${name}.example`);
    const { body } = await browser.ask('GET', 'me');
    return meSchema.parse(body).account.id;
  }

  /** A browser that has signed in by a mailed link. */
  async visit(email: string): Promise<Browser> {
    const browser = visitorOf(this.#service);
    await browser.signIn(email);
    return browser;
  }

  async keyOf(account: string): Promise<string> {
    this.#keys += 1;
    return (await this.admin.createKey(`key_${String(this.#keys).padStart(8, '0')}`, account, 'bench')).key;
  }

  /** @throws what `fetch` does */
  async verify(
    key: string,
    emails: readonly string[],
    signal: AbortSignal,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const answer = await this.#call('verify', key, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ emails }),
      signal,
    });
    const retryAfter = answer.headers.get('retry-after');
    const elements = elementsSchema.safeParse(await answer.json());
    return {
      status: answer.status,
      retryS: retryAfter === null ? null : Number(retryAfter),
      first: elements.data?.[0] ?? null,
    };
  }

  /** What the account of a key may spend, once what is under way has been settled. */
  async credits(key: string): Promise<number> {
    await sleep(1_000);
    return creditsSchema.parse(await (await this.#call('credits', key, {})).json()).credits;
  }

  #call(path: string, key: string, init: Call): Promise<Response> {
    const headers = { ...init.headers, authorization: `Bearer ${key}` };
    return fetch(new URL(`/api/v1/${path}`, this.#url), { ...init, headers });
  }
}
