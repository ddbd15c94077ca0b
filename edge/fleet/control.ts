/** A host as one Fleet object sees it: every process of the enrolment together. */
export type ConnectedHost = {
  readonly id: string;
  /** Processes connected: two while one replaces the other. */
  readonly instances: number;
  readonly draining: boolean;
  readonly healthy: boolean;
  readonly jobs: number;
};

/** What the operator's side asks of each Fleet object. */
export interface FleetControl {
  /** Takes effect at once on the connections of the host: `removed` closes them, `draining` sends no new jobs. */
  setHostState(host: string, state: 'active' | 'draining' | 'removed'): Promise<void>;
  hosts(): Promise<ConnectedHost[]>;
}
