import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Daemon, startDaemon } from '../../mta/daemon.ts';
import { startEximAt } from '../../mta/exim.ts';
import { type Keeper, startKeeper } from '../../mta/keeper.ts';
import { findPrograms, type Programs } from '../../mta/packages.ts';
import { runClient, startSlowLink, type SlowLink } from './processes.ts';
import { count, type LeftOut, load, ms, peer, type Row, withPeer } from './rows.ts';

// One address after the other in domains that the same real server of Debian's serves: round trips of its own replies,
// over a link that delays every packet. Exim offers everyone PIPECONNECT: met once, it is talked to right after the TCP
// handshake.

const ROUND_TRIP_MS = 50;
const ONE_WAY_MS = 24.5;
/** With the one that it is met by, no more than refusals that a session may have. */
const DOMAINS = 6;
const SMTP_PORT = 2527;
/** MX and A. */
const DNS_TRIPS = 2;
const OUR_DOMAINS = '^d[0-9]+[.]test$';

type Plan = { readonly programs: Programs; readonly ip: string; readonly namespace: string; readonly mailbox: string };
type Server = { readonly name: string; readonly start: (plan: Plan, keeper: Keeper) => Promise<Daemon> };
type Case = { readonly what: string; readonly mailbox: string; readonly warm: boolean; readonly trips: number };

const NEXT: readonly Case[] = [
  { what: 'the next one, refused', mailbox: 'nobody-at-all', warm: true, trips: 1 },
  { what: 'the next one, accepted, with its made-up mailbox', mailbox: 'u0', warm: true, trips: 2 },
];

export function realExim(): Promise<Row[] | LeftOut> {
  return realServer({ name: 'Exim', start: startExim }, [
    { what: 'refused', mailbox: 'nobody-at-all', warm: false, trips: 2 },
    { what: 'accepted, with its made-up mailbox', mailbox: 'u0', warm: false, trips: 3 },
    ...NEXT,
  ]);
}

export function realPostfix(): Promise<Row[] | LeftOut> {
  return realServer({ name: 'Postfix', start: startPostfix }, [
    { what: 'refused', mailbox: 'nobody-at-all', warm: false, trips: 4 },
    { what: 'accepted, with its made-up mailbox', mailbox: 'u0', warm: false, trips: 5 },
    ...NEXT,
  ]);
}

async function realServer(server: Server, cases: readonly Case[]): Promise<Row[] | LeftOut> {
  const installed = findPrograms();
  if (installed.kind === 'missing') return { leftOut: `one address at Debian's ${server.name}`, why: installed.why };
  const link = await startSlowLink(ONE_WAY_MS);
  try {
    const rows: Row[] = [];
    for (const one of cases) rows.push(await measure(server, one, link, installed.programs));
    return rows;
  } finally {
    await link.stop();
  }
}

async function measure({ name, start }: Server, one: Case, link: SlowLink, programs: Programs): Promise<Row> {
  const { what, mailbox, warm, trips } = one;
  const keeper = await startKeeper();
  const daemon = await start({ programs, ip: link.farIp, namespace: link.far, mailbox }, keeper);
  try {
    const asked = load(link.farIp, {
      domains: DOMAINS,
      perRequest: 1,
      oneByOne: true,
      warm,
      warmUpDomains: 1,
      smtpPort: SMTP_PORT,
    });
    // The peer answers for DNS alone.
    const { result, othersPercent } = await withPeer(link.far, peer(link.farIp, {}), () =>
      runClient(link.near, 'engine-client.ts', asked),
    );
    const measured = result.wallMs / DOMAINS;
    const right = count(result, mailbox === 'u0' ? 'accepted' : 'no_such_mailbox');
    const floor = (DNS_TRIPS + trips) * ROUND_TRIP_MS;
    return {
      what: `one address at Debian's ${name}, ${what} (DNS ${DNS_TRIPS} + ${trips} round trips of ${ROUND_TRIP_MS} ms)`,
      measured: `${ms(measured)}, ${right} of ${DOMAINS} right`,
      floor: ms(floor),
      bound: 'not less, and less than one round trip more, all right',
      holds: right === DOMAINS && measured > 0.97 * floor && measured < floor + ROUND_TRIP_MS,
      othersPercent,
    };
  } finally {
    await daemon.stop();
    await keeper.release();
  }
}

function startExim({ programs, ip, namespace, mailbox }: Plan, keeper: Keeper): Promise<Daemon> {
  const domains = String.raw`\N${OUR_DOMAINS}\N`;
  const plan = {
    command: programs.exim,
    smtpPort: SMTP_PORT,
    ip,
    slowIp: null,
    domains,
    mailboxes: mailbox,
    namespace,
  };
  return startEximAt(plan, keeper);
}

async function startPostfix({ programs, ip, namespace, mailbox }: Plan, keeper: Keeper): Promise<Daemon> {
  const folder = join(keeper.folder, 'postfix');
  const etc = join(folder, 'etc');
  for (const part of ['', 'etc', 'queue', 'data']) await mkdir(join(folder, part));
  await writeFile(join(etc, 'main.cf'), mainCf(folder));
  await writeFile(join(etc, 'master.cf'), masterCf(ip));
  await writeFile(join(etc, 'domains'), `/${OUR_DOMAINS}/ ok\n`);
  await writeFile(join(etc, 'mailboxes'), `/^${mailbox}@/ ok\n`);
  const run = promisify(execFile);
  await run('chown', ['postfix', join(folder, 'data')]);
  await run(programs.postfix, ['-c', etc, 'check']);
  return startDaemon(
    {
      name: 'Postfix',
      command: 'ip',
      args: ['netns', 'exec', namespace, programs.postfixMaster, '-c', etc, '-s'],
      env: { MAIL_CONFIG: etc },
      isReady: () => isListening(namespace),
    },
    keeper,
  );
}

/** Another namespace cannot be dialled from here. */
async function isListening(namespace: string): Promise<boolean> {
  const { stdout } = await promisify(execFile)('ip', ['netns', 'exec', namespace, 'cat', '/proc/net/tcp']);
  return stdout.includes(`:${SMTP_PORT.toString(16).toUpperCase().padStart(4, '0')} 00000000:0000 0A`);
}

const mainCf = (folder: string) => `
compatibility_level = 3.7
queue_directory = ${folder}/queue
data_directory = ${folder}/data
maillog_file = /dev/stdout
inet_interfaces = loopback-only
inet_protocols = ipv4
myhostname = mx.bench.test
mydestination =
mynetworks =
alias_maps =
in_flow_delay = 0
smtpd_peername_lookup = no
virtual_mailbox_domains = regexp:${folder}/etc/domains
virtual_mailbox_maps = regexp:${folder}/etc/mailboxes
smtpd_relay_restrictions = reject_unauth_destination
`;

const masterCf = (ip: string) => `${ip}:${SMTP_PORT} inet n - n - - smtpd
cleanup unix n - n - 0 cleanup
rewrite unix - - n - - trivial-rewrite
proxymap unix - - n - - proxymap
anvil unix - - n - 1 anvil
postlog unix-dgram n - n - 1 postlogd
`;
