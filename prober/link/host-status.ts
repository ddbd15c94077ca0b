import type { Canary, ProviderRefusal } from '../../schema/link.ts';

/** How the host is, as the edge is told. */
export type HostStatus = {
  readonly draining: boolean;
  readonly healthy: boolean;
  /** Its self-check has proven its resolver and its port 25. */
  readonly checked: boolean;
  /** What its self-check failed at. */
  readonly failing: readonly Canary[];
  readonly jobs: number;
  readonly cooling: number;
  /** Large providers that refuse this host. */
  readonly refusing: number;
  /** Which, and at which egress address. */
  readonly refusals?: readonly ProviderRefusal[];
};
