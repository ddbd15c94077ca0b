import { join } from 'node:path';
import { type Config, parseConfig } from '../../edge/base/config.ts';
import { adminApi } from '../admin/connection/api.ts';
import { AdminError } from '../admin/connection/client.ts';
import type { OutboxMail } from '../../edge/local/outbox.ts';
import { makeFolder } from '../../prober/base/make-folder.ts';
import { parseRoutes, parseStubs } from '../../prober/base/options.ts';
import { UsageError } from '../base/usage-error.ts';
import { WORLD_FILE } from '../base/world-file.ts';
import { startFakeStripe } from '../sandbox/fake-stripe.ts';
import { type Sandbox, startSandbox } from '../sandbox/sandbox.ts';
import type { StartOptions } from './arguments.ts';
import { checkDescriptors } from './descriptors.ts';
import { type DemoAccount, openDemoAccount } from './demo-account.ts';
import type { HostProcess, HostWorld } from './host-process.ts';
import { startHosts } from './hosts.ts';
import { startEdgeService } from './local-edge.ts';
import { lockFolder } from './lock.ts';
import { readSecrets } from './secrets.ts';
import { StartError } from './start-error.ts';
import { writeStateFile } from './state-file.ts';
import { startWatchdog } from './watchdog.ts';

// The whole service on one machine: lock, secrets, sandbox, edge, demo account, hosts; and back in reverse order.

/** A host exits at its batches' deadline at the latest; if it does not, it is killed this much later. */
const DRAIN_GRACE_MS = 5_000;
const NO_SANDBOX: Sandbox = { stubs: [], routes: [], canaries: null, close: () => Promise.resolve() };

export type Service = {
  readonly url: string;
  readonly demo: DemoAccount;
  /** What the demo account has left. */
  readonly credits: number;
  readonly operatorKeyFile: string;
  readonly hosts: readonly HostProcess[];
  /** The hosts' DNS servers and routes, in the form that `probe` takes too. */
  readonly world: HostWorld;
  /** Drains the hosts, then ends everything. Call it once. */
  readonly stop: () => Promise<void>;
};

/** Mail does not leave this machine, so any sender is allowed; credits cost nothing here. */
export const OWN_VARIABLES = {
  SIGN_IN_FROM: 'sign-in@rcpt.test',
  // Mails stay on this machine.
  MAILS_PER_DAY: '4000',
  WELCOME_CREDITS: '1000',
  PACKS: JSON.stringify([
    { id: 'small', credits: 10_000, amount: 4_900, currency: 'eur' },
    { id: 'medium', credits: 100_000, amount: 29_900, currency: 'eur' },
    { id: 'large', credits: 1_000_000, amount: 149_000, currency: 'eur' },
  ]),
};

/** Receives what happens. */
export type Listener = {
  /** A line for the operator, or one of the Worker's log. */
  readonly say: (line: string) => void;
  /** A mail that production would send. */
  readonly mail: (mail: OutboxMail) => void;
};

/**
 * Starts the service.
 * @throws UsageError for bad options, StartError if it cannot start; then nothing is left running
 */
export async function startService(options: StartOptions, listener: Listener): Promise<Service> {
  const undo: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const step of undo.toReversed()) await step();
  };
  try {
    return { ...(await start(options, listener, undo)), stop };
  } catch (error) {
    await stop();
    if (!(error instanceof AdminError)) throw error;
    const isRefused = error.status === 401;
    const what = `The service ${isRefused ? 'refused its own operator' : 'failed while starting'}: ${error.message}`;
    throw new StartError(isRefused ? `${what} Is a secret set with --var?` : what, error);
  }
}

async function start(
  options: StartOptions,
  { say, mail }: Listener,
  undo: (() => Promise<void>)[],
): Promise<Omit<Service, 'stop'>> {
  const folder = options.state;
  checkDescriptors();
  makeState(folder);
  const lock = await lockFolder(folder);
  undo.push(lock.release);
  const { operator, operatorKeyFile, variables: secrets } = await readSecrets(folder);
  const isSandbox = options.sandbox || options.route.length > 0;
  const stripe = options.sandbox ? await startFakeStripe() : null;
  if (stripe !== null) undo.push(stripe.close);
  const variables = {
    SANDBOX: isSandbox ? '1' : '',
    ...OWN_VARIABLES,
    // Passkeys work on localhost, and not on 127.0.0.1.
    PUBLIC_URL: options.port === 0 ? '' : `http://localhost:${options.port}`,
    ...stripe?.variables,
    ...secrets,
    ...options.variables,
  };
  const config = checkVariables(variables);

  const watchdog = startWatchdog();
  undo.push(async () => watchdog.release());
  const sandbox = options.sandbox ? await startSandbox() : NO_SANDBOX;
  undo.push(sandbox.close);
  const world: HostWorld = {
    sandbox: isSandbox,
    dns: options.dns,
    stub: [...sandbox.stubs, ...options.stub],
    route: [...sandbox.routes, ...options.route],
    canaries: sandbox.canaries,
  };
  if (options.sandbox) checkBesideSandbox(world);
  const { dns, stub, route } = world;
  await writeStateFile(join(folder, WORLD_FILE), { dns, stub, route });
  const { port } = options;
  const edge = await startEdgeService({ port, folder, variables, watchdog, onLog: say, onMail: mail });
  undo.push(edge.stop);

  const connection = { origin: edge.origin, operator };
  const demo = await openDemoAccount(adminApi(connection), folder, config);
  const hosts: HostProcess[] = [];
  const patienceMs = config.BATCH_DEADLINE_S * 1000 + DRAIN_GRACE_MS;
  undo.push(async () => void (await Promise.all(hosts.map((host) => host.drain(patienceMs)))));
  await startHosts({
    connection,
    folder,
    ids: Array.from({ length: options.hosts }, (_, i) => `local-${i + 1}`),
    world,
    running: hosts,
    onChange: () =>
      watchdog.guard(
        'hosts',
        hosts.filter((host) => host.isRunning()).map((host) => host.pid),
      ),
    onDeath: (host, how) =>
      say(`Host ${host.id} (process ${host.pid}) exited ${how}. To restart it:\n  ${host.command}`),
  });
  const { credits } = await adminApi(connection).showAccount(demo.accountId);
  return { url: edge.origin, demo, credits, operatorKeyFile, hosts, world };
}

function makeState(folder: string): void {
  try {
    makeFolder(folder, 0o700);
  } catch (error) {
    throw new StartError(`The state folder ${folder} cannot be created: name another with --state.`, error);
  }
}

/** The Worker reads its variables the same way, and would answer every call with 500. */
function checkVariables(variables: Readonly<Record<string, string>>): Config {
  const config = parseConfig(variables);
  if ('wrong' in config)
    throw new UsageError(
      `--var: ${config.wrong.join(', ')} cannot have this value: edge/base/config.ts says which values it takes`,
    );
  return config;
}

/** Every host refuses a zone or range that is given twice, so one that the sandbox has is refused here. */
function checkBesideSandbox({ stub, route }: HostWorld): void {
  for (const parsed of [parseStubs(stub.join(',')), parseRoutes(route.join(','))])
    if (!parsed.ok) throw new UsageError(`${parsed.problem}: the sandbox uses it; leave it out, or give --no-sandbox`);
}
