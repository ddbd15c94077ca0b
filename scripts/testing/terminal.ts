import { spawn } from 'node:child_process';

/** A command as the foreground job of a terminal of its own. */
export type InTerminal = {
  /** Everything that it has shown so far. */
  readonly shown: () => string;
  /** Typed there, it goes to every process of the job. */
  readonly ctrlC: () => void;
  readonly kill: () => void;
  /** Its exit code; null if a signal ended it. */
  readonly ended: Promise<number | null>;
};

/**
 * Types a command into a terminal.
 * @param words written before the terminal's own, such as those of `ownNetwork`
 */
export function typeInTerminal(
  line: string,
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly words: readonly string[] },
): InTerminal {
  // `exec`: a shell that waits would report its own end by the signal.
  const script = ['script', '--quiet', '--flush', '--return', '--command', `exec ${line}`, '/dev/null'];
  const [command = '', ...args] = [...options.words, ...script];
  const child = spawn(command, args, { cwd: options.cwd, env: options.env, stdio: ['pipe', 'pipe', 'pipe'] });
  let shown = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (shown += text.replaceAll('\r', '')));
  return {
    shown: () => shown,
    ctrlC: () => void child.stdin.write('\x03'),
    kill: () => void child.kill('SIGKILL'),
    ended: new Promise((resolve) => child.once('exit', (code) => resolve(code))),
  };
}
