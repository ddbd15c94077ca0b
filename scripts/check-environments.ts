import { fileURLToPath } from 'node:url';
import { endWhenUnread } from '../prober/base/closed-pipe.ts';
import { OPTIONAL_SECRETS, VARIABLES } from '../edge/base/config.ts';
import { compareEnvironments } from './deploy/compare-environments.ts';
import { liveEnvironments, readEnvironment } from './deploy/read-environment.ts';
import { notReady } from './deploy/ready-to-deploy.ts';

// Part of `npm run check:deploy`: exit 1 and one line for each difference between wrangler.toml's environments. With the
// name of one, `npm run check:deploy -- production`, also for what is still to be filled in there.

const CONFIG = fileURLToPath(new URL('../wrangler.toml', import.meta.url));

endWhenUnread();
const live = liveEnvironments(CONFIG);
const names = [null, ...live];
const [asked] = process.argv.slice(2);
const faults = [
  ...compareEnvironments(
    names.map((name) => readEnvironment(CONFIG, name)),
    VARIABLES.filter((name) => !OPTIONAL_SECRETS.includes(name)),
  ),
  ...(asked === undefined
    ? []
    : live.includes(asked)
      ? notReady(readEnvironment(CONFIG, asked))
      : [`no environment ${asked}`]),
];
for (const fault of faults) process.stderr.write(`wrangler.toml: ${fault}\n`);
if (faults.length === 0) process.stdout.write(`wrangler.toml: ${names.length} environments agree\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
