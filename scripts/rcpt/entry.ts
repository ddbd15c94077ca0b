#!/usr/bin/env node
// What the package starts: an older Node would stop at the first thing that it does not know, in words of its own.

const LEAST = [22, 18] as const;
/** All the rest, built from `main.ts`. */
const COMMAND = './command.js';
const { node } = process.versions;
const [major = 0, minor = 0] = node.split('.').map(Number);

if (major > LEAST[0] || (major === LEAST[0] && minor >= LEAST[1])) void import(COMMAND);
else {
  process.stderr.write(`rcpt: needs Node ${LEAST.join('.')} or later; this is ${node}.\n`);
  process.exitCode = 1;
}
