import { fileURLToPath } from 'node:url';
import { OPTIONAL_SECRETS, VARIABLES } from '../edge/base/config.ts';
import { compareEnvironments } from './deploy/compare-environments.ts';
import { liveEnvironments, readEnvironment } from './deploy/read-environment.ts';

// Part of `npm run check:deploy`: exit 1 and one line for each difference between wrangler.toml's environments.

const CONFIG = fileURLToPath(new URL('../wrangler.toml', import.meta.url));

const names = [null, ...liveEnvironments(CONFIG)];
const faults = compareEnvironments(
  names.map((name) => readEnvironment(CONFIG, name)),
  VARIABLES.filter((name) => !OPTIONAL_SECRETS.includes(name)),
);
for (const fault of faults) process.stderr.write(`wrangler.toml: ${fault}\n`);
if (faults.length === 0) process.stdout.write(`wrangler.toml: ${names.length} environments agree\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
