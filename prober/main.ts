import { parseArgs } from 'node:util';
import manifest from '../package.json' with { type: 'json' };
import { readConfig } from './base/config.ts';
import { endWhenUnread } from './base/closed-pipe.ts';
import { ConfigError } from './base/config-error.ts';
import { ENROLMENT_FILE, machineSettings } from './base/machine-settings.ts';
import { joinCommand } from './ops/join/command.ts';
import { JoinError } from './ops/join/join.ts';
import { restartUnit } from './ops/join/restart-unit.ts';
import { serve } from './serve.ts';
import { USAGE } from './usage.ts';

// Runs the one command it is given: serve, join, or --check.

const DONE = 0;
const REFUSED = 1;
const BAD_INPUT = 2;

async function main(args: readonly string[]): Promise<void> {
  const { values, positionals } = parse(args);
  if (values.help) return say(USAGE);
  if (values.version) return say(`${manifest.version}\n`);
  const [verb, ...rest] = positionals;
  if (verb === undefined && values.check) {
    // Its SPF library takes longer to load than everything else.
    const { checkHost } = await import('./ops/audit/check-host.ts');
    const { text, code } = await checkHost(machineSettings(process.env), values.json);
    process.stdout.write(text, () => process.exit(code));
    return;
  }
  if (verb === undefined) return serve(readConfig(process.env), fail);
  if (verb !== 'join') return fail(`unknown argument ${verb}; settings are in the environment (see --help)`);
  const [url, token, more] = rest;
  if (url === undefined || token === undefined || more !== undefined)
    return fail('usage: join URL INVITATION, such as join https://verify.example.com rcpt-join-…');
  const out = values.out ?? process.env['ENROLMENT'] ?? ENROLMENT_FILE;
  const joined = await joinCommand(url, token.trim(), { out, replace: values.replace });
  say(values.replace ? joined + restartUnit(manifest.version) : joined);
}

function parse(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      version: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      out: { type: 'string' },
      replace: { type: 'boolean', default: false },
    },
  });
}

function say(text: string): void {
  process.stdout.write(text);
  process.exitCode = DONE;
}

function fail(message: string): void {
  process.stderr.write(`prober: ${message.replaceAll(/\s+/g, ' ')}\n`);
  process.exit(BAD_INPUT);
}

/** One line for an error that an operator can fix; any other error is a bug and keeps its stack. */
function explain(error: unknown): void {
  if (error instanceof ConfigError) return fail(error.message);
  if (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))
    return fail(`${error.message.split('. ')[0] ?? ''} (see --help)`);
  if (!(error instanceof JoinError)) throw error;
  process.stderr.write(`prober: ${error.message}\n`);
  process.exitCode = REFUSED;
}

endWhenUnread();
await main(process.argv.slice(2)).catch(explain);
