import { UsageError } from '../base/usage-error.ts';
import { parseArguments, type StartOptions } from './arguments.ts';
import type { OutboxMail } from '../../edge/local/outbox.ts';
import { mailJson, mailText } from './outbox-message.ts';
import { readyJson, readyText } from './ready-message.ts';
import { StartError } from './start-error.ts';

const ENDED = 0;
const CANNOT_START = 1;
const KILLED = 1;
const BAD_INPUT = 2;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Under npm one Ctrl-C arrives twice: from the terminal and from npm. */
const SAME_SIGNAL_MS = 500;

/**
 * Runs the service until a signal ends it.
 * @param args what follows the program's name
 * @returns the exit code: 0 ended as asked, 1 cannot start, 2 bad input; the last two with one line on standard error
 */
export async function runStart(args: readonly string[]): Promise<number> {
  try {
    const options = parseArguments(args);
    if ('help' in options) {
      process.stdout.write(options.help);
      return ENDED;
    }
    await serve(options);
    return ENDED;
  } catch (error) {
    if (!(error instanceof UsageError) && !(error instanceof StartError)) throw error;
    say(error.message);
    return error instanceof UsageError ? BAD_INPUT : CANNOT_START;
  }
}

async function serve(options: StartOptions): Promise<void> {
  const signals = catchSignals();
  // Loading Miniflare takes half a second, so it is loaded only once the arguments are known to be valid.
  const { startService } = await import('./service.ts');
  const mail = (sent: OutboxMail): void => void process.stdout.write(options.json ? mailJson(sent) : mailText(sent));
  const service = await startService(options, { say, mail });
  const asked = signals.wait();
  process.stdout.write(options.json ? readyJson(service) : readyText(service, options));
  await asked;
  await service.stop();
}

/**
 * Before `wait` a signal ends the process at once: nothing is under way, and the watchdog kills the children. Then
 * the first resolves it, and a second one ends the process without waiting for what is under way.
 */
function catchSignals(): { readonly wait: () => Promise<void> } {
  let stop: (() => void) | undefined;
  let stoppedAt: number | null = null;
  const onSignal = (): void => {
    if (stop === undefined) process.exit(ENDED);
    const now = performance.now();
    stoppedAt ??= now;
    if (now - stoppedAt > SAME_SIGNAL_MS) process.exit(KILLED);
    stop();
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  return { wait: () => new Promise((resolve) => (stop = resolve)) };
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
