// Where each real server of the suite lives. All of 127.0.0.0/8 is the loopback interface on Linux: nothing has to be
// configured on the machine, and nothing outside it can be reached by mistake.

/** One address for each behaviour; a server's SMTP port is the same on all of them. */
export const SERVERS = {
  /** Postfix: existing, unknown, full, disabled and moved mailboxes, a catch-all domain, relaying denied; strict. */
  postfix: '127.0.20.1',
  /** Postfix that defers known recipients as postgrey does. */
  greylisting: '127.0.20.2',
  /** Postfix that wants STARTTLS before MAIL. */
  tls: '127.0.20.3',
  /** postscreen that waits before the greeting and drops who talks first. */
  postscreen: '127.0.20.4',
  /** postscreen whose tests after the greeting defer a client's first session. */
  postscreenDeep: '127.0.20.5',
  /** Postfix without PIPELINING and SMTPUTF8. */
  plain: '127.0.20.6',
  /** Postfix that greets with 554. */
  refusesConnection: '127.0.20.7',
  /** Postfix that refuses EHLO and HELO. */
  refusesHelo: '127.0.20.8',
  /** Postfix that refuses MAIL FROM. */
  refusesSender: '127.0.20.9',
  /** Postfix that refuses the client, at RCPT as is its default. */
  refusesClient: '127.0.20.10',
  /** Postfix that defers the client at the greeting. */
  defersClient: '127.0.20.11',
  /** Postfix with small limits: three errors, then 421; five recipients, then 452 4.5.3. */
  tight: '127.0.20.12',
  /** Exim that ends a session when the client does not wait its turn. */
  exim: '127.0.20.13',
  /** Exim that waits a second before each reply, greeting too, so that early talk is always seen. */
  eximSlow: '127.0.20.14',
  /** Nothing listens here. */
  nobody: '127.0.20.15',
} as const;
export type Server = keyof typeof SERVERS;

/** The range for `--route`. */
export const RANGE = '127.0.20.0/24';
