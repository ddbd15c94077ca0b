import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Answer, answerSchema, type Request } from './runner-messages.ts';

const RUNNER = fileURLToPath(new URL('./runner.ts', import.meta.url));
const START_MS = 120_000;

export type Run =
  | { readonly kind: 'passed' | 'timeout' }
  /** `file`: of the test, null for a fault outside of any. */
  | { readonly kind: 'failed'; readonly test: string; readonly file: string | null };

/** Tests in a copy of the tree. The process behind it is started when it is needed, and anew after it had to be ended. */
export class TestProcess {
  readonly #root: string;
  readonly #projects: readonly string[];
  #child: ChildProcess | null = null;
  #ended = false;

  /**
   * @param root of the copy
   * @param projects of `vitest.config.ts`, whose tests are run; the cheaper first
   */
  constructor(root: string, projects: readonly string[]) {
    this.#root = root;
    this.#projects = projects;
  }

  /** The files that hold tests, each with the place of its project among those asked for. */
  async listTests(): Promise<ReadonlyMap<string, number>> {
    this.#stop();
    const tests = await this.#start();
    return new Map(tests.map(({ file, project }) => [file, this.#projects.indexOf(project)]));
  }

  /**
   * Runs tests until the first fails; again, if the process died of it once.
   * @param changed the file of the copy that is not as it was in the run before; null if there is none
   * @throws if vitest itself fails, and once `end` was called
   */
  async run(tests: readonly string[], changed: string | null, limitMs: number): Promise<Run> {
    for (let lives = 2; ; lives -= 1) {
      const answer = await this.#ask({ tests: [...tests], changed }, limitMs);
      if (this.#ended) throw new Error('The tests were ended');
      if (answer === 'died' && lives > 1) continue;
      if (answer === 'died' || answer === 'late') {
        this.#stop();
        return { kind: 'timeout' };
      }
      if (answer.kind !== 'ran') throw new Error(answer.kind === 'broken' ? answer.message : 'The tests were not run');
      return answer.failed === null ? { kind: 'passed' } : { kind: 'failed', ...answer.failed };
    }
  }

  /** For good, whatever runs. */
  end(): void {
    this.#ended = true;
    this.#stop();
  }

  /** Ends the process and whatever it started: pools, workerd. */
  #stop(): void {
    const pid = this.#child?.pid;
    this.#child = null;
    if (pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // It had ended already.
    }
  }

  async #start(): Promise<Extract<Answer, { kind: 'ready' }>['tests']> {
    if (this.#ended) throw new Error('The tests were ended');
    // A group of its own, to be ended as a whole.
    const child = fork(RUNNER, [this.#root, ...this.#projects], {
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#child = child;
    const answer = await nextAnswer(child, START_MS);
    if (typeof answer === 'object' && answer.kind === 'ready') return answer.tests;
    this.#stop();
    throw new Error(typeof answer === 'object' && answer.kind === 'broken' ? answer.message : 'vitest did not start');
  }

  async #ask(request: Request, limitMs: number): Promise<Answer | 'late' | 'died'> {
    if (this.#child?.connected !== true) {
      this.#stop();
      await this.#start();
    }
    const child = this.#child;
    if (child === null) return 'died';
    const answer = nextAnswer(child, limitMs);
    child.send(request);
    return answer;
  }
}

async function nextAnswer(child: ChildProcess, limitMs: number): Promise<Answer | 'late' | 'died'> {
  const done = new AbortController();
  const late = (): void => done.abort('late');
  const died = (): void => done.abort('died');
  const timer = setTimeout(late, limitMs);
  child.once('exit', died);
  try {
    const [message]: unknown[] = await once(child, 'message', { signal: done.signal });
    return answerSchema.parse(message);
  } catch (error) {
    if (!done.signal.aborted) throw error;
    return done.signal.reason === 'late' ? 'late' : 'died';
  } finally {
    clearTimeout(timer);
    child.off('exit', died);
  }
}
