import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { createEngine } from '../../prober/engine/batch.ts';
import { DEFAULTS } from '../../prober/engine/ports/settings.ts';
import { createNodePorts } from '../../prober/node/ports.ts';
import { signalsOf } from '../../prober/signals/signals.ts';
import { type Address, parseAddress } from '../../schema/address.ts';
import type { Evidence } from '../../schema/evidence.ts';
import { isUnprobed } from '../../schema/outcomes.ts';
import { parseArguments } from '../probe/arguments.ts';
import { startSandbox } from './sandbox.ts';
import { WORLD } from './world.ts';

// Has the engine probe the sandbox and writes down what it saw: what the edge answers test keys with. To be run when
// the sandbox's table changes: `node scripts/sandbox/record.ts`. It takes a minute and a half.

const FILE = fileURLToPath(new URL('../../edge/sandbox/evidence.json', import.meta.url));
/** Nobody of the table: how a domain answers about everyone else. */
const SOMEBODY_ELSE = 'zoe-of-nowhere';
const DEADLINE_MS = 90_000;

const listed = WORLD.flatMap(({ address }) => parseAddress(address) ?? []);
const domains = [...new Set(listed.filter(({ domainKind }) => domainKind === 'name').map(({ domain }) => domain))];
const others = domains.flatMap((domain) => parseAddress(`${SOMEBODY_ELSE}@${domain}`) ?? []);

const sandbox = await startSandbox();
const options = parseArguments([
  ...sandbox.stubs.flatMap((stub) => ['--stub', stub]),
  ...sandbox.routes.flatMap((route) => ['--route', route]),
]);
if (options.kind !== 'run') throw new Error('probe takes other arguments now');
const { egress, mailFrom, routes } = options.options;
const ports = createNodePorts(options.options);
const seen = new Map<string, Evidence>();
/** Each with an engine of its own: what is learnt of one address of a domain decides about another of the same batch. */
const probe = (addresses: readonly Address[], nameOf: (address: Address) => string): Promise<void> =>
  createEngine(ports, { ...DEFAULTS, egress, mailFrom, routes, onBug: console.error }, signalsOf).probe({
    account: 1,
    recipients: addresses.map(({ local, domain }) => ({ local, domain })),
    signal: AbortSignal.timeout(DEADLINE_MS),
    deadlineMs: ports.clock.now() + DEADLINE_MS,
    report: (index, evidence) => {
      const address = addresses[index];
      if (address !== undefined) seen.set(nameOf(address), evidence);
    },
  });
await Promise.all([probe(listed, ({ identity }) => identity), probe(others, ({ domain }) => `*@${domain}`)]);
const unprobed = [...seen].filter(([, { outcome }]) => isUnprobed(outcome)).map(([name]) => name);
if (unprobed.length > 0) throw new Error(`not probed: ${unprobed.join(', ')}`);
const lines = [...seen]
  .toSorted(([a], [b]) => (a < b ? -1 : 1))
  .map(([name, evidence]) => `  ${JSON.stringify(name)}: ${JSON.stringify(evidence)}`);
await writeFile(FILE, `{\n${lines.join(',\n')}\n}\n`);
console.log(`${seen.size} addresses written to ${FILE}`);
process.exit(0);
