import type { Pace } from './pace.ts';
import type { Service } from './service.ts';

/** Where the requests go, and how they may be repeated. */
export type Means = { readonly service: Service; readonly pace: Pace; readonly maxRetries: number };
