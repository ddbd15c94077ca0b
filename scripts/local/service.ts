import { mkdir } from 'node:fs/promises';
import { type Config, parseConfig } from '../../edge/base/config.ts';
import { adminApi } from '../admin/connection/api.ts';
import type { OutboxMail } from '../../edge/local/outbox.ts';
import { parseRoutes, parseStubs } from '../../prober/base/options.ts';
import { UsageError } from '../base/usage-error.ts';
import { startFakeStripe } from '../sandbox/fake-stripe.ts';
import { type Sandbox, startSandbox } from '../sandbox/sandbox.ts';
import type { StartOptions } from './arguments.ts';
import { type DemoAccount, openDemoAccount } from './demo-account.ts';
import type { HostProcess, HostWorld } from './host-process.ts';
import { startHosts } from './hosts.ts';
import { startEdgeService } from './local-edge.ts';
import { lockFolder } from './lock.ts';
import { readSecrets } from './secrets.ts';
import { StartError } from './start-error.ts';
import { startWatchdog } from './watchdog.ts';

// The whole service on one machine: lock, secrets, sandbox, edge, demo account, hosts; and back in reverse order.

/** A host ends at its batches' deadline at the latest; whoever does not is killed this much later. */
const DRAIN_GRACE_MS = 5_000;
const NO_SANDBOX: Sandbox = { stubs: [], routes: [], canaries: null, close: () => Promise.resolve() };

export type Service = {
  readonly url: string;
  readonly demo: DemoAccount;
  readonly operatorKeyFile: string;
  readonly hosts: readonly HostProcess[];
  /** What the hosts were told of DNS and routes, as `probe` takes it too. */
  readonly world: HostWorld;
  /** Drains the hosts, then ends everything. Call it once. */
  readonly stop: () => Promise<void>;
};

/** Mail goes no further than this machine, so that anybody may be its sender; credits cost nobody anything here. */
const OWN_VARIABLES = {
  SIGN_IN_FROM: 'sign-in@rcpt.test',
  WELCOME_CREDITS: '1000',
  PACKS: JSON.stringify([
    { id: 'small', credits: 10_000, amount: 4_900, currency: 'eur' },
    { id: 'medium', credits: 100_000, amount: 29_900, currency: 'eur' },
    { id: 'large', credits: 1_000_000, amount: 149_000, currency: 'eur' },
  ]),
};

/** Where what happens is told. */
export type Told = {
  /** A line for the operator, or one of the Worker's log. */
  readonly say: (line: string) => void;
  /** A mail that live would have gone out. */
  readonly mail: (mail: OutboxMail) => void;
};

/**
 * Starts the service.
 * @param inspectorPort where workerd is asked about its isolates; null: nowhere
 * @throws UsageError for what was asked, StartError for what stands in the way; then nothing is left running
 */
export async function startService(
  options: StartOptions,
  told: Told,
  inspectorPort: number | null = null,
): Promise<Service> {
  const undo: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const step of undo.toReversed()) await step();
  };
  try {
    return { ...(await start(options, told, inspectorPort, undo)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(
  options: StartOptions,
  { say, mail }: Told,
  inspectorPort: number | null,
  undo: (() => Promise<void>)[],
): Promise<Omit<Service, 'stop'>> {
  const folder = options.state;
  await makeFolder(folder);
  const lock = await lockFolder(folder);
  undo.push(lock.release);
  const { operator, operatorKeyFile, variables: secrets } = await readSecrets(folder);
  const isSandbox = options.sandbox || options.route.length > 0;
  const stripe = options.sandbox ? await startFakeStripe() : null;
  if (stripe !== null) undo.push(stripe.close);
  const variables = {
    SANDBOX: isSandbox ? '1' : '',
    // Whoever tries things here counts who is asked about what.
    COMPARE_EVERY: '0',
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
  const { port } = options;
  const edge = await startEdgeService({ port, folder, variables, watchdog, onLog: say, onMail: mail, inspectorPort });
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
      say(`Host ${host.id} (process ${host.pid}) ended ${how}. This brings it back:\n  ${host.command}`),
  });
  return { url: edge.origin, demo, operatorKeyFile, hosts, world };
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new StartError(`The state folder ${folder} cannot be made: name another with --state.`, error);
  }
}

/** The Worker reads its variables the same way, and would answer every call with 500. */
function checkVariables(variables: Readonly<Record<string, string>>): Config {
  const config = parseConfig(variables);
  if ('wrong' in config) throw new UsageError(`--var: ${config.wrong.join(', ')} cannot have this value`);
  return config;
}

/** A zone or range of the sandbox that is given once more would be refused by every host. */
function checkBesideSandbox({ stub, route }: HostWorld): void {
  for (const parsed of [parseStubs(stub.join(',')), parseRoutes(route.join(','))])
    if (!parsed.ok) throw new UsageError(`${parsed.problem}: the sandbox has it, unless --no-sandbox is given`);
}
