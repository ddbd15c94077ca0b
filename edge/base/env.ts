import type { AlarmsObject } from './alarms-protocol.ts';
import type { FleetObject } from './fleet-protocol.ts';
import type { LimiterObject } from './limiter-protocol.ts';

/** The Worker's bindings as wrangler.toml declares them. Variables are text and not to be trusted before `readConfig`. */
export type Env = {
  readonly DB: D1Database;
  readonly FLEET: DurableObjectNamespace<FleetObject>;
  readonly LIMITER: DurableObjectNamespace<LimiterObject>;
  readonly ALARMS: DurableObjectNamespace<AlarmsObject>;
  /** Shield by caller address: counts calls that ended in 401, and separately those of endpoints that take no key. */
  readonly SHIELD: RateLimit;
  /** Counts by caller address what sends mail or tries links and passkeys. */
  readonly SIGN_IN: RateLimit;
  /** Counts by caller address the calls of the pages' API. */
  readonly PAGES: RateLimit;
  /** Sends mail to people who sign in; absent if the deployment sends none. */
  readonly EMAIL?: Pick<SendEmail, 'send'>;
  /** Takes one point for each batch; absent if the deployment has no dataset of Analytics Engine. */
  readonly ANALYTICS?: Pick<AnalyticsEngineDataset, 'writeDataPoint'>;
  /** The pages' files; absent if only the API is served. */
  readonly ASSETS?: Pick<Fetcher, 'fetch'>;
  readonly [variable: string]: unknown;
};
