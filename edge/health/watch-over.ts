import type { Call } from '../base/call.ts';
import { ConfigError, readConfig } from '../base/config.ts';
import type { Env } from '../base/env.ts';
import { log } from '../base/log.ts';
import { hostTroubles } from './host-troubles.ts';
import { judge, type Problem } from './judge.ts';
import { look } from './look.ts';
import { lookForLostHosts } from './lost-hosts.ts';
import { noteMisconfigured } from './misconfigured.ts';

/** A deploy resets the fleet, and its hosts are back within seconds: a problem that is over by then pages no one. */
const AGAIN_AFTER_MS = 10_000;

/**
 * Logs `service_down`, which pages, for each problem seen twice, ten seconds apart, or at once for wrong variables; and
 * what pages too: `host_away` for each host that is lost while others serve, and what is wrong with those that do.
 */
export async function watchOver(env: Env): Promise<void> {
  try {
    await watch({ env, config: readConfig(env) });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    noteMisconfigured(error);
  }
}

async function watch(reach: Pick<Call, 'env' | 'config'>): Promise<void> {
  const seen = await look(reach);
  for (const lost of await lookForLostHosts(reach, seen.views)) log('warn', 'host_away', { ...lost });
  const views = seen.views.filter((view) => view !== null);
  for (const { event, fields } of hostTroubles(views, Date.now())) log('warn', event, fields);
  const first = judge(seen);
  if (first.length === 0) return;
  await new Promise((wake) => setTimeout(wake, AGAIN_AFTER_MS));
  const was = new Set(first.map(({ cause }: Problem) => cause));
  for (const { cause, text } of judge(await look(reach)))
    if (was.has(cause)) log('error', 'service_down', { cause, why: text });
}
