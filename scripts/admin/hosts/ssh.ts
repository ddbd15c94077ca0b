import { spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { UsageError } from '../../base/usage-error.ts';

const CONNECT_S = 10;
const SAID_CHARS_MAX = 2_000;

/** How a remote command ended, and the end of what it wrote to standard output and error. */
export type Ran = { readonly ok: boolean; readonly said: string };
/** Runs a command there. @param input a file that it gets on standard input */
export type OnMachine = (machine: string, command: string, input?: string) => Promise<Ran>;

/** Uses the operator's own `ssh` with their keys, agent and configuration. It never prompts, so a missing key is a failure. */
export const overSsh: OnMachine = (machine, command, input) =>
  new Promise((resolve, reject) => {
    const child = spawn('ssh', ['-o', 'BatchMode=yes', '-o', `ConnectTimeout=${CONNECT_S}`, '--', machine, command], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let said = '';
    const hear = (data: Buffer): void => {
      said = (said + data.toString('utf8')).slice(-SAID_CHARS_MAX);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.on('error', () => reject(new UsageError('ssh cannot be started: install openssh-client')));
    child.on('close', (code) => resolve({ ok: code === 0, said: said.trim() }));
    if (input === undefined) child.stdin.end();
    // How it went the command says, which then gets no more.
    else pipeline(createReadStream(input), child.stdin).catch(() => undefined);
  });

const DESTINATION = /^[\w.@%{}:-]{1,200}$/;

/** Where the hosts are reached: `root@{host}.example.com`, with `{host}` for the host's name. @throws UsageError */
export function readDestination(text: string): (host: string) => string {
  if (!DESTINATION.test(text) || !text.includes('{host}') || text.startsWith('-'))
    throw new UsageError('--ssh must contain {host}, as in root@{host}.example.com');
  return (host) => text.replaceAll('{host}', host);
}
