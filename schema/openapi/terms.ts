/** Settings of a deployment that callers see. */
export type Terms = {
  readonly maxAddresses: number;
  readonly maxBodyBytes: number;
  /** Requests a minute and key; 0 means no limit. */
  readonly ratePerMinute: number;
  readonly charge: 'probed' | 'entries';
  readonly keyPrefix: string;
  /** How long a request may take. */
  readonly deadlineS: number;
};
