#!/usr/bin/env node
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { standardOutput } from '../base/standard-output.ts';
import { Interrupted, systemCode } from './failure/failure.ts';
import { runProgram } from './program.ts';
import { unwritable } from './verify/output.ts';

// The process around the command: its streams, and the signals that ask it to stop.

// A list leaves much garbage and keeps next to nothing: without this V8 lets 200 MB of it lie, for a fifth less CPU.
setFlagsFromString('--optimize-for-size');

/** The package is JavaScript; only in a clone does this file run as it stands. */
const IS_CLONE = import.meta.url.endsWith('.ts');

/** Numbers by which shells name them. */
const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

/** One key press may come twice: from the terminal, and from npm, which passes it on. */
const ONE_PRESS_MS = 500;

const stop = new AbortController();
let stoppedMs = 0;
for (const [signal, number] of Object.entries(SIGNALS))
  process.on(signal, () => {
    const interrupted = new Interrupted(128 + number);
    const nowMs = performance.now();
    if (!stop.signal.aborted) stoppedMs = nowMs;
    // A second signal: do not wait.
    else if (nowMs - stoppedMs > ONE_PRESS_MS) process.exit(interrupted.exitCode);
    stop.abort(interrupted);
  });

// A reader that has gone shows in the write that fails.
const output = standardOutput();
for (const stream of [output, process.stderr]) stream.on('error', () => {});

try {
  const exitCode = await runProgram(process.argv.slice(2), {
    env: process.env,
    localState: IS_CLONE ? join(import.meta.dirname, '../../.local') : null,
    input: process.stdin,
    output,
    messages: process.stderr,
    stop: stop.signal,
    client: {},
  });
  process.exitCode = exitCode === 0 ? await codeOfWritten(output) : exitCode;
} catch (error) {
  process.exitCode = 1;
  const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`rcpt: this is a bug: ${words}\n`);
}
/** The exit code of a command that has ended well, once all that it said is written. */
async function codeOfWritten(stream: Writable): Promise<number> {
  const error = await new Promise<Error | null>((done) => {
    if (stream.errored !== null) done(stream.errored);
    else stream.write('', (failed) => done(failed ?? null));
  });
  // A reader who has seen enough is no failure.
  if (error === null || systemCode(error) === 'EPIPE') return 0;
  const { message, exitCode } = unwritable(error);
  process.stderr.write(`rcpt: ${message}\n`);
  return exitCode;
}

// Nobody waits any more for what a pipe or a terminal might still say.
process.stdin.destroy();
