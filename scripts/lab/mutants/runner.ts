import { rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createVitest, type TestSpecification, type Vitest } from 'vitest/node';
import { type Answer, type Request, requestSchema } from './runner-messages.ts';

// A process of its own that keeps vitest loaded and runs tests in a copy of the tree, again and again. A bug that loops
// for ever loops here, so that the command can end it with everything it started.

const [root = '', ...projects] = process.argv.slice(2);
let failed: Extract<Answer, { kind: 'ran' }>['failed'] = null;
/** It is read again by the next run too, as it stands then. */
let lastChanged: string | null = null;

// However the command ends, a SIGKILL included, its copy goes with it.
process.on('disconnect', () => {
  rmSync(root, { recursive: true, force: true });
  process.kill(0, 'SIGKILL');
});

function send(answer: Answer): void {
  process.send?.(answer);
}

async function start(): Promise<{ readonly vitest: Vitest; readonly specifications: Map<string, TestSpecification> }> {
  const vitest = await createVitest({
    root,
    watch: false,
    project: projects,
    bail: 1,
    reporters: [
      {
        onTestCaseResult: (test) => {
          if (test.result().state === 'failed')
            failed ??= { test: test.fullName, file: relative(root, test.module.moduleId) };
        },
        onTestModuleEnd: (module) => {
          const file = relative(root, module.moduleId);
          if (module.state() === 'failed') failed ??= { test: file, file };
        },
        onTestRunEnd: (_modules, [unhandled]) => {
          if (unhandled !== undefined) failed ??= { test: unhandled.message, file: null };
        },
      },
    ],
  });
  const found = await vitest.globTestSpecifications();
  return { vitest, specifications: new Map(found.map((test) => [relative(root, test.moduleId), test])) };
}

async function run(vitest: Vitest, tests: readonly TestSpecification[], changed: string | null): Promise<Answer> {
  failed = null;
  for (const file of [changed, lastChanged]) if (file !== null) vitest.invalidateFile(join(root, file));
  lastChanged = changed ?? lastChanged;
  await vitest.runTestSpecifications([...tests]);
  return { kind: 'ran', failed };
}

try {
  const { vitest, specifications } = await start();
  process.on('message', (message) => {
    const { tests, changed }: Request = requestSchema.parse(message);
    const wanted = tests.flatMap((test) => specifications.get(test) ?? []);
    run(vitest, wanted, changed).then(send, (error: unknown) => send({ kind: 'broken', message: String(error) }));
  });
  send({ kind: 'ready', tests: [...specifications].map(([file, { project }]) => ({ file, project: project.name })) });
} catch (error) {
  send({ kind: 'broken', message: String(error) });
}
