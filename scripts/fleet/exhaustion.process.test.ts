import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** Takes every descriptor, then dials and looks up a name. */
const SCRIPT = `
  import { openSync } from 'node:fs';
  import { Cancel } from '${new URL('../../prober/engine/ports/cancel.ts', import.meta.url).href}';
  import { createNodePorts } from '${new URL('../../prober/node/ports.ts', import.meta.url).href}';
  const told = [];
  const ports = createNodePorts({ dns: ['127.0.0.1:9'], stubs: [], onExhausted: (errno) => told.push(errno) });
  const { signal } = new AbortController();
  const target = { ip: '127.0.0.1', port: 9, from: null };
  const before = await ports.dial(target, new Cancel());
  const held = [];
  for (;;) try { held.push(openSync('/dev/null')); } catch { break; }
  const after = await ports.dial(target, new Cancel());
  const dialled = told.splice(0);
  const found = await ports.resolve.mx('example.com', signal);
  console.log(JSON.stringify({ before, after, dialled, found, lookedUp: told }));
`;

test('a dial and a look-up without a descriptor say that it is this host', () => {
  const { stdout, stderr } = spawnSync(
    'sh',
    ['-c', 'ulimit -n 64; exec "$0" --input-type=module --eval "$1"', process.execPath, SCRIPT],
    { encoding: 'utf8' },
  );
  expect({ stderr, said: stdout === '' ? null : JSON.parse(stdout) }).toEqual({
    stderr: '',
    said: {
      before: { kind: 'failed' },
      after: { kind: 'no_route' },
      dialled: ['EMFILE'],
      found: { kind: 'failed' },
      lookedUp: expect.arrayContaining(['EMFILE']),
    },
  });
});
