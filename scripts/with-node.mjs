// What the npm scripts start, in JavaScript that older versions of Node read too: they get one sentence. It names the program of
// the service and passes on the rest: `node scripts/with-node.mjs scripts/start.ts --port 0`.
import module from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const LEAST = [22, 18];
const { node } = process.versions;
const [major, minor] = node.split('.').map(Number);

if (major > LEAST[0] || (major === LEAST[0] && minor >= LEAST[1])) {
  const root = new URL('..', import.meta.url);
  const [own, , program, ...args] = process.argv;
  // The hosts that a service starts have it too.
  process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.cache/compile', root));
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
  process.argv = [own, resolve(program), ...args];
  if (process.env.npm_lifecycle_event !== undefined) endWithParent();
  await import(new URL(program, root).href);
} else {
  process.stderr.write(`rcpt needs Node ${LEAST.join('.')} or later; this is ${node}.\n`);
  process.exitCode = 1;
}

/** Where no `exec` takes the place of npm's shell (`cmd.exe` has none), a signal for npm ends the shell, which tells nobody. */
function endWithParent() {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, 100).unref();
}
