import { Command, Option } from 'commander';
import type { Egress, Route } from '../../prober/engine/ports/settings.ts';
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
import { CONCURRENCY_DEFAULT, DEADLINE_S_DEFAULT, defaultOptions, type ProbeOptions } from './options.ts';

const CONCURRENCY_MAX = 5_000;
const DEADLINE_S_MAX = 3_600;

export type Arguments =
  | { readonly kind: 'run'; readonly options: ProbeOptions }
  | { readonly kind: 'explain'; readonly options: ExplainOptions }
  | { readonly kind: 'help'; readonly text: string }
  /** One line that says what to do about it. */
  | { readonly kind: 'refused'; readonly message: string };

/** The options below, each as its parser returns it. */
type Given = {
  readonly dns: readonly string[];
  readonly stub: readonly Stub[];
  readonly route: readonly Route[];
  readonly egress: readonly Egress[];
  readonly mailFrom?: string;
  readonly concurrency: number;
  readonly deadline: number;
  readonly seed?: string;
  readonly trace?: true;
  readonly state?: string;
  readonly explain?: string;
  readonly stage?: ExplainOptions['stage'];
};

/**
 * What `npm run probe` was asked for.
 * @param args what follows the program's name
 * @param ownName this machine's own name: its EHLO name if none is given
 */
export function parseArguments(args: readonly string[], ownName?: string): Arguments {
  const command = describe();
  const line = readCommandLine(command, args);
  if (line.kind !== 'read') return line;
  const given: Given = command.opts();
  const { explain, stage } = given;
  if (explain !== undefined) return parseExplain(explain, stage, command.args);
  if (stage !== undefined) return { kind: 'refused', message: '--stage needs --explain' };
  const defaults = defaultOptions(command.args, ownName);
  const [first, ...others] = given.egress;
  return {
    kind: 'run',
    options: {
      ...defaults,
      ...(first !== undefined && { egress: [first, ...others], mailFrom: `probe@${first.heloName}` }),
      ...(given.mailFrom !== undefined && { mailFrom: given.mailFrom }),
      dns: given.dns,
      stubs: given.stub,
      routes: given.route,
      deadlineMs: given.deadline * 1_000,
      concurrency: given.concurrency,
      seed: given.seed ?? null,
      trace: given.trace ?? false,
      state: given.state ?? null,
    },
  };
}

function parseExplain(text: string, stage: ExplainOptions['stage'] = 'rcpt', addresses: readonly string[]): Arguments {
  const reply = readReply(text);
  if (reply === null)
    return {
      kind: 'refused',
      message: "--explain takes a reply such as '550 5.1.1 User unknown', with \\n between its lines",
    };
  const [address, more] = addresses;
  const recipient = address === undefined ? undefined : parseAddress(address);
  if (recipient === null || more !== undefined)
    return { kind: 'refused', message: '--explain takes at most one address: the recipient of the reply' };
  return { kind: 'explain', options: { reply, stage, recipient } };
}

function describe(): Command {
  return new Command('npm run -s probe --')
    .description(
      'Verifies addresses from this machine, without the service: prints one JSON line per address as soon as it is known.',
    )
    .argument('[address...]', 'addresses to verify (default: standard input, one per line)')
    .option('--dns <ip[:port]>', "a resolver to use instead of the system's (repeatable)", listInForm(parseServers), [])
    .option('--stub <zone=ip:port>', 'the name server of one zone (repeatable)', listInForm(parseStubs), [])
    .option(
      '--route <cidr=[ip:]port>',
      'a private address range to dial on this port instead of 25, at this loopback address if one is given, for addresses from --stub zones or --dns (repeatable)',
      listInForm(parseRoutes),
      [],
    )
    .option(
      '--egress <ip=helo>',
      'a local IP address to connect from, and its EHLO name (repeatable); default=HELO sets the EHLO name alone',
      listInForm(parseEgresses),
      [],
    )
    .option('--mail-from <address>', 'envelope sender (default: probe@ the first EHLO name)', inForm(parseMailFrom))
    .option(
      '--concurrency <n>',
      'domains probed at the same time',
      wholeNumber(1, CONCURRENCY_MAX),
      CONCURRENCY_DEFAULT,
    )
    .option(
      '--deadline <s>',
      'time limit for the addresses of one domain, in seconds',
      wholeNumber(1, DEADLINE_S_MAX),
      DEADLINE_S_DEFAULT,
    )
    .option(
      '--seed <text>',
      'ask about the same made-up mailboxes as another run with this seed: greylisting lets them through on a retry (default: random)',
    )
    .option(
      '--state <folder>',
      'ask the mail servers of the `npm start` that has this state folder, its sandbox above all',
    )
    .option('--trace', 'log every DNS lookup and SMTP line to standard error (contains addresses)')
    .option(
      '--explain <reply>',
      "explain how a server's reply is read, instead of verifying; write \\n between its lines",
    )
    .addOption(new Option('--stage <stage>', 'SMTP command that the reply answers (default: rcpt)').choices(STAGES))
    .addHelpText('after', EXIT_CODES);
}

const EXIT_CODES = `
Exit code: 0 every address has its result, 1 something failed and standard error says what, 2 bad arguments,
130 interrupted. What was verified is printed in any case.`;
