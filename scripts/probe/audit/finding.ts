/**
 * One thing that receivers look at. `mend`: they will not like it, and `detail` says what to change. `unknown`: it could
 * not be learnt, and `detail` says how it can.
 */
export type Finding = {
  readonly check: 'ehlo_name' | 'route' | 'port_25' | 'address' | 'ptr' | 'forward' | 'mx' | 'spf' | 'ehlo_spf';
  /** The address, name or domain that was looked at. */
  readonly subject: string;
  readonly state: 'ok' | 'mend' | 'unknown';
  readonly detail: string;
};

type Check = Finding['check'];

export const ok = (check: Check, subject: string, detail: string): Finding => ({ check, subject, state: 'ok', detail });
export const mend = (check: Check, subject: string, detail: string): Finding => ({
  check,
  subject,
  state: 'mend',
  detail,
});
export const unknown = (check: Check, subject: string, detail: string): Finding => ({
  check,
  subject,
  state: 'unknown',
  detail,
});

export const NO_ANSWER = 'the resolver did not answer; try again, or name another with --dns IP:PORT';
