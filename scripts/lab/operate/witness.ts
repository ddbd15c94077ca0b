import { createServer, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { runAdmin } from '../../admin/program.ts';
import type { Ready } from '../../testing/running-service.ts';

const LOOK_EVERY_MS = 500;
const CALL_EVERY_MS = 500;
const TEXT_MAX = 160;

/** What was said first of all that was like it, and when. */
export type Said = { readonly who: 'health' | 'status' | 'webhook'; readonly afterS: number; readonly text: string };

const healthSchema = z.object({ problems: z.array(z.string()), ready: z.number() });
type Health = z.infer<typeof healthSchema>;
const postSchema = z.object({ text: z.string() });

/** Sees a service as a caller, a monitor and an operator do, and takes what it posts. */
export class Witness {
  readonly #origin: string;
  readonly #ready: Ready;
  readonly #posted: string[] = [];
  #isCalling = true;
  /** Answers to a caller, by status; `0` for none. */
  readonly answers = new Map<number, number>();

  constructor(ready: Ready, webhook: Server) {
    this.#origin = new URL(ready.url).origin;
    this.#ready = ready;
    webhook.on('request', (request, response) => {
      let body = '';
      request.on('data', (data: Buffer) => (body += data.toString('utf8')));
      request.on('end', () => {
        this.#posted.push(...postSchema.parse(JSON.parse(body)).text.split('\n'));
        response.writeHead(204).end();
      });
    });
    void this.#call();
  }

  /** @returns what it printed */
  async admin(...args: readonly string[]): Promise<string> {
    let said = '';
    const write = (text: string): void => void (said += text);
    const variables = { RCPT_URL: this.#origin, RCPT_OPERATOR_KEY: this.#ready.operatorKey };
    await runAdmin(args, variables, { out: write, err: write });
    return said;
  }

  /** Looks until `isOver`, or for this long. What is like something said before, but for its numbers, is not said again. */
  async watch(
    isOver: (health: Health | null, said: readonly Said[]) => boolean,
    forS: number,
  ): Promise<readonly Said[]> {
    const beganAt = performance.now();
    const known = new Map<string, Said>();
    this.#posted.length = 0;
    const note = (who: Said['who'], text: string): void => {
      const key = `${who} ${text.replaceAll(/\d+/g, '#')}`;
      const afterS = Math.round((performance.now() - beganAt) / 100) / 10;
      if (text !== '' && !known.has(key)) known.set(key, { who, afterS, text: text.slice(0, TEXT_MAX) });
    };
    for (;;) {
      const health = await this.#health();
      for (const problem of health?.problems ?? ['no answer']) note('health', `503: ${problem}`);
      if (health?.problems.length === 0) note('health', `200, ready ${health.ready}`);
      const status = await this.admin('status');
      for (const [, line = ''] of status.matchAll(/^ {2}! (.*)$/gm)) note('status', line);
      if (/^(?:The deployment|No answer|The call)/.test(status)) note('status', status.trim());
      while (this.#posted.length > 0) note('webhook', this.#posted.shift() ?? '');
      const said = [...known.values()];
      if (isOver(health, said) || performance.now() - beganAt > forS * 1_000) return said;
      await sleep(LOOK_EVERY_MS);
    }
  }

  async #health(): Promise<Health | null> {
    try {
      const answer = await fetch(`${this.#origin}/health`, { signal: AbortSignal.timeout(10_000) });
      return healthSchema.parse(await answer.json());
    } catch {
      return null;
    }
  }

  close(): void {
    this.#isCalling = false;
  }

  /** One caller, so that there is something to be served or not. */
  async #call(): Promise<void> {
    while (this.#isCalling) {
      const status = await fetch(`${this.#origin}/api/v1/verify`, {
        method: 'POST',
        headers: { authorization: `Bearer ${this.#ready.apiKey}`, prefer: 'wait=10' },
        body: JSON.stringify({ emails: ['ok@deliverable.test'] }),
        signal: AbortSignal.timeout(30_000),
      }).then(
        async (answer) => {
          await answer.arrayBuffer();
          return answer.status;
        },
        () => 0,
      );
      this.answers.set(status, (this.answers.get(status) ?? 0) + 1);
      await sleep(CALL_EVERY_MS);
    }
  }
}

/** A server on this machine that posts are made to. */
export async function startWebhook(): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const at = server.address();
  return { url: `http://127.0.0.1:${at === null || typeof at === 'string' ? 0 : at.port}/`, server };
}
