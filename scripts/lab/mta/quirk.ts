// A real mail server whose answers were once misread, as data: how it is run, who lives there, what a batch must give.

export type Quirk = {
  /** Its domain is `<name>.real.test`. */
  readonly name: string;
  /** Paths of what must be installed. */
  readonly programs: readonly string[];
  /** By their paths in its folder. */
  readonly files: (at: At) => Readonly<Record<string, string>>;
  /** Commands that complete the folder. */
  readonly prepare?: (at: At) => readonly CommandLine[];
  /** Started in this order. */
  readonly daemons: (at: At) => readonly QuirkDaemon[];
  /** Stands in its log once for each connection. */
  readonly connected: RegExp;
  /** Whether it takes every mailbox; absent: u0, u1 and so on exist, x0, x1 and so on do not. */
  readonly takesAll?: true;
  /** Each address has a domain of its own, below that of the server. */
  readonly apart?: true;
  /** Defers each mailbox until some seconds after it was first asked for. */
  readonly greylists?: true;
  /** How many connections so many addresses, half of them existing, may cost. */
  readonly batches: Readonly<Record<number, number>>;
};

/** Where a server runs. */
export type At = {
  readonly ip: string;
  readonly port: number;
  readonly folder: string;
  readonly domain: string;
  /** Its MX host name. */
  readonly host: string;
  readonly key: string;
  readonly certificate: string;
};

export type CommandLine = readonly [command: string, ...args: string[]];

export type QuirkDaemon = {
  readonly run: CommandLine;
  /** If it is not the server's own. */
  readonly port?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** In the server's folder. */
  readonly logFile?: string;
};
