import { DurableObject } from 'cloudflare:workers';
import type { Env } from '../../base/env.ts';
import type { FleetJob, FleetLine, FleetView } from '../../base/fleet-protocol.ts';
import { evidenceText } from './evidence-text.ts';
import { scriptedEvidence } from './outcomes.ts';

const NO_ROOM = [
  ['full.test', 'full'],
  ['share.test', 'share'],
] as const;

/**
 * A fleet without hosts: evidence at once, from `outcomes.ts`. One address in one of these domains decides for the
 * batch: silent.test: it never ends. late.test: it begins half a second later. breaks.test: the first answer breaks off before its last line. broken.test: every
 * answer does. full.test and share.test: there is no room, for anyone, for this account. throws.test: the call itself
 * fails. nohost.test: no host is connected. garbage.test: lines of unknown forms.
 */
export class Fleet extends DurableObject<Env> {
  readonly #askedBefore = new Set<string>();
  #dispatched = 0;
  #cancelled = 0;

  async dispatch(job: FleetJob): Promise<ReadableStream> {
    this.#dispatched += 1;
    const has = (domain: string): boolean => job.addresses.some((address) => address[1] === domain);
    if (has('throws.test')) throw new Error('The scripted fleet fails');
    const again = this.#askedBefore.has(job.account);
    if (has('breaks.test')) this.#askedBefore.add(job.account);
    const lines: string[] = has('garbage.test') ? ['no JSON', '{"type":"weather"}', '{"type":"evidence","i":0}'] : [];
    if (!has('nohost.test')) lines.push(...evidenceLines(job));
    for (const [domain, lack] of NO_ROOM)
      if (has(domain)) return this.#stream([JSON.stringify({ type: 'end', cause: lack } satisfies FleetLine)], 'close');
    const breaks = has('broken.test') || (has('breaks.test') && !again);
    const end: FleetLine = { type: 'end', cause: has('nohost.test') ? 'no_host' : 'done' };
    if (!breaks && !has('silent.test')) lines.push(JSON.stringify(end));
    if (has('late.test')) await new Promise((resolve) => setTimeout(resolve, 500));
    return this.#stream(lines, breaks ? 'error' : has('silent.test') ? 'silence' : 'close');
  }

  /** It reports no problem. */
  async view(): Promise<Pick<FleetView, 'outcomes' | 'remembered'> & { hosts: readonly object[] }> {
    return {
      hosts: [{ id: 'scripted', healthy: true, draining: false, why: null, processes: [] }],
      remembered: [],
      outcomes: [],
    };
  }

  /** How many jobs were sent, and how many streams were cancelled. */
  override fetch(): Response {
    return Response.json({ dispatched: this.#dispatched, cancelled: this.#cancelled });
  }

  #stream(lines: readonly string[], then: 'close' | 'error' | 'silence'): ReadableStream {
    return new ReadableStream({
      type: 'bytes',
      start: (controller) => {
        if (lines.length > 0) controller.enqueue(new TextEncoder().encode(`${lines.join('\n')}\n`));
        if (then === 'close') controller.close();
        if (then === 'error') setTimeout(() => controller.error(new Error('The scripted fleet breaks off')), 5);
      },
      cancel: () => {
        this.#cancelled += 1;
      },
    });
  }
}

function evidenceLines(job: FleetJob): readonly string[] {
  return job.addresses.flatMap(([, domain], i) => {
    const evidence = scriptedEvidence(domain === 'breaks.test' ? 'good.test' : domain);
    return evidence === null ? [] : [evidenceText(i, evidence)];
  });
}
