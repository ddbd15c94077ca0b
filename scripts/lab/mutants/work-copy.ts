import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export type Ran = 'passed' | 'failed' | 'endless';

/** A copy of the tree to put bugs into and to run tests in: the tree itself is only read. */
export class WorkCopy {
  readonly #root = mkdtempSync(join(tmpdir(), 'rcpt-mutants-'));
  #running: ChildProcess | null = null;
  /** The text of every TypeScript file, by its path from the root. */
  readonly sources: ReadonlyMap<string, string>;

  /** @param from a clone: what git ignores is left out */
  constructor(from: string) {
    const list = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate'], {
      cwd: from,
      encoding: 'utf8',
    });
    const deleted = execFileSync('git', ['ls-files', '--deleted'], { cwd: from, encoding: 'utf8' }).split('\n');
    const files = list.split('\n').filter((file) => file !== '' && !deleted.includes(file));
    for (const file of files) {
      mkdirSync(dirname(join(this.#root, file)), { recursive: true });
      copyFileSync(join(from, file), join(this.#root, file));
    }
    symlinkSync(join(from, 'node_modules'), join(this.#root, 'node_modules'), 'dir');
    const code = files.filter((file) => file.endsWith('.ts'));
    this.sources = new Map(code.map((file) => [file, readFileSync(join(from, file), 'utf8')]));
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.#root, file), text);
  }

  /** Runs test files of one vitest project until the first test fails, or the time is over. */
  async run(tests: readonly string[], project: string, limitMs: number): Promise<Ran> {
    const vitest = join(this.#root, 'node_modules/vitest/vitest.mjs');
    const args = ['run', '--root', this.#root, '--project', project, '--bail', '1', ...tests];
    // A group of its own, to be ended with all that it started.
    const child = spawn(process.execPath, [vitest, ...args], { cwd: this.#root, detached: true, stdio: 'ignore' });
    this.#running = child;
    const timer = setTimeout(() => this.#end(), limitMs);
    const [code]: unknown[] = await once(child, 'exit');
    clearTimeout(timer);
    this.#running = null;
    if (code === 0) return 'passed';
    return code === null ? 'endless' : 'failed';
  }

  remove(): void {
    this.#end();
    rmSync(this.#root, { recursive: true, force: true, maxRetries: 5 });
  }

  #end(): void {
    if (this.#running?.pid === undefined) return;
    try {
      process.kill(-this.#running.pid, 'SIGKILL');
    } catch {
      // It had ended already.
    }
  }
}
