import { app } from './app.ts';
import type { Env } from './base/env.ts';
import { scheduled } from './scheduled.ts';

export { Fleet } from './fleet/object/fleet.ts';
export { Alarms } from './alarms/alarms.ts';
export { Limiter } from './limiter/limiter.ts';

export default { fetch: app.fetch, scheduled } satisfies ExportedHandler<Env>;
