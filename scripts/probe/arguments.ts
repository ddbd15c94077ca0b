import { hostname } from 'node:os';
import { Command, Option } from 'commander';
import { parseAuditTargets, type AuditTarget } from '../../prober/ops/audit/audit-target.ts';
import type { Egress, Route } from '../../prober/engine/ports/settings.ts';
import { ownHelo } from '../../prober/base/own-helo.ts';
import {
  parseEgresses,
  parseMailFrom,
  parseRoutes,
  parseServers,
  parseStubs,
  type Stub,
} from '../../prober/base/options.ts';
import { inForm, listInForm, readCommandLine, wholeNumber } from '../base/command-line.ts';
import { parseAddress } from '../../schema/address.ts';
import { readReply, STAGES, type ExplainOptions } from './explain.ts';

const CONCURRENCY_DEFAULT = 20;
const CONCURRENCY_MAX = 5_000;
const DEADLINE_S_DEFAULT = 90;
const DEADLINE_S_MAX = 3_600;

export type ProbeOptions = {
  readonly dns: readonly string[];
  readonly stubs: readonly Stub[];
  readonly routes: readonly Route[];
  readonly egress: readonly [Egress, ...Egress[]];
  readonly mailFrom: string;
  /** Domains at once. */
  readonly concurrency: number;
  readonly deadlineMs: number;
  /** Tells each dialogue on standard error. */
  readonly trace: boolean;
  /** Empty: they come from standard input. */
  readonly addresses: readonly string[];
};

export type AuditOptions = Omit<ProbeOptions, 'concurrency' | 'trace' | 'addresses'> & {
  /** Empty: the MX hosts of the envelope sender's domain. */
  readonly targets: readonly AuditTarget[];
  readonly json: boolean;
};

export type Arguments =
  | { readonly kind: 'run'; readonly options: ProbeOptions }
  | { readonly kind: 'audit'; readonly options: AuditOptions }
  | { readonly kind: 'explain'; readonly options: ExplainOptions }
  | { readonly kind: 'help'; readonly text: string }
  /** One line that says what to do. */
  | { readonly kind: 'refused'; readonly message: string };

/** What the options below add up to: each is as its own reader made it. */
type Given = {
  readonly dns: readonly string[];
  readonly stub: readonly Stub[];
  readonly route: readonly Route[];
  readonly egress: readonly Egress[];
  readonly mailFrom?: string;
  readonly concurrency: number;
  readonly deadline: number;
  readonly trace?: true;
  readonly audit?: true;
  readonly auditTarget: readonly AuditTarget[];
  readonly json?: true;
  readonly explain?: string;
  readonly stage?: ExplainOptions['stage'];
};

/**
 * What `npm run probe` was asked for.
 * @param args what follows the program's name
 * @param ownName what this machine calls itself: its EHLO name if none is given
 */
export function parseArguments(args: readonly string[], ownName: string = hostname()): Arguments {
  const command = describe();
  const line = readCommandLine(command, args);
  if (line.kind !== 'read') return line;
  const given: Given = command.opts();
  const { explain, stage } = given;
  if (explain !== undefined) return parseExplain(explain, stage, command.args);
  if (stage !== undefined) return { kind: 'refused', message: '--stage goes with --explain' };
  const own = ownHelo(ownName);
  const [first = { ip: null, heloName: own.heloName }, ...others] = given.egress;
  const senderDomain = given.egress[0]?.heloName ?? own.mailDomain;
  const common = {
    dns: given.dns,
    stubs: given.stub,
    routes: given.route,
    egress: [first, ...others] as const,
    mailFrom: given.mailFrom ?? `probe@${senderDomain}`,
    deadlineMs: given.deadline * 1_000,
  };
  const { concurrency, trace = false, audit = false, json = false, auditTarget: targets } = given;
  if (!audit && (json || targets.length > 0))
    return { kind: 'refused', message: '--audit-target and --json go with --audit' };
  if (audit && (trace || command.args.length > 0))
    return { kind: 'refused', message: '--audit verifies no address: leave addresses and --trace away' };
  if (audit) return { kind: 'audit', options: { ...common, targets, json } };
  return { kind: 'run', options: { ...common, concurrency, trace, addresses: command.args } };
}

function parseExplain(text: string, stage: ExplainOptions['stage'] = 'rcpt', addresses: readonly string[]): Arguments {
  const reply = readReply(text);
  if (reply === null)
    return {
      kind: 'refused',
      message: "--explain takes a reply such as '550 5.1.1 User unknown', its lines parted by \\n",
    };
  const [address, more] = addresses;
  const recipient = address === undefined ? undefined : parseAddress(address);
  if (recipient === null || more !== undefined)
    return { kind: 'refused', message: '--explain takes at most one address: the recipient that the reply answers' };
  return { kind: 'explain', options: { reply, stage, recipient } };
}

function describe(): Command {
  return new Command('npm run -s probe --')
    .description(
      'Verifies addresses from this machine, without the service: one JSON line each on standard output, as they are known.',
    )
    .argument('[address...]', 'what to verify; none: one a line from standard input')
    .option('--dns <ip[:port]>', "a resolver instead of the system's (repeatable)", listInForm(parseServers), [])
    .option('--stub <zone=ip:port>', 'a zone with a server of its own (repeatable)', listInForm(parseStubs), [])
    .option(
      '--route <cidr=port>',
      'a private range, dialled on this port, for addresses from --stub zones or --dns (repeatable)',
      listInForm(parseRoutes),
      [],
    )
    .option(
      '--egress <ip=helo>',
      'a local address and its EHLO name (repeatable); default=HELO',
      listInForm(parseEgresses),
      [],
    )
    .option('--mail-from <address>', 'the envelope sender (default: probe@ the first EHLO name)', inForm(parseMailFrom))
    .option('--concurrency <n>', 'domains at once', wholeNumber(1, CONCURRENCY_MAX), CONCURRENCY_DEFAULT)
    .option(
      '--deadline <s>',
      'seconds that the addresses of one domain may take',
      wholeNumber(1, DEADLINE_S_MAX),
      DEADLINE_S_DEFAULT,
    )
    .option('--trace', 'tells every lookup and every line of every dialogue on standard error; addresses appear in it')
    .option('--audit', 'checks this host as receivers will, instead of verifying addresses, and says what to mend')
    .option(
      '--audit-target <host[:port]>',
      "a mail server to try the way out with, instead of the sender's MX hosts (repeatable)",
      listInForm(parseAuditTargets),
      [],
    )
    .option('--json', 'the audit as one JSON document')
    .option('--explain <reply>', "says how a server's reply is read, instead of verifying; its lines parted by \\n")
    .addOption(
      new Option('--stage <stage>', 'the command that the explained reply answers (default: rcpt)').choices(STAGES),
    )
    .addHelpText('after', EXIT_CODES)
    .exitOverride();
}

const EXIT_CODES = `
Exit code: 0 every address has its result, 1 something failed and standard error says what, 2 bad arguments,
130 interrupted. What was verified is printed in any case. Of --audit: 0 all is well, 1 something is to be mended or
could not be learnt, 2 bad arguments.`;
