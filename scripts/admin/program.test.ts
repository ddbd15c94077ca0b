import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { publicSigningKeys } from '../../edge/fleet/keys/edge-keys.ts';
import { runAdmin } from './program.ts';

async function admin(...args: readonly string[]) {
  let out = '';
  let err = '';
  const code = await runAdmin(args, {}, { out: (text) => (out += text), err: (text) => (err += text) });
  return { code, out, err };
}

describe('bad input', () => {
  test.each<[string, readonly string[], RegExp]>([
    ['no command', [], /no command was given/],
    ['a group alone', ['account'], /no command was given/],
    ['an unknown command', ['accounts'], /unknown command 'accounts'/],
    ['an unknown option', ['host', 'list', '--colour'], /unknown option '--colour'/],
    ['a missing argument', ['key', 'create'], /missing required argument 'account'/],
    ['an argument too many', ['key', 'list', 'a', 'b'], /too many arguments/],
    ['an address for an account', ['account', 'show', 'bob@example.com'], /ACCOUNT: an account id is/],
    ['a key for its id', ['key', 'delete', `svc_live_${'a'.repeat(38)}`], /KEY: a key id is key_/],
    ['no number', ['credits', 'grant', 'acme', 'many'], /CREDITS: must be a whole number/],
    ['nothing granted', ['credits', 'grant', 'acme', '0'], /CREDITS: must be at least 1/],
    ['an account without a name', ['account', 'create', ''], /NAME: must have 1 to 100 characters/],
    ['a label that is too long', ['key', 'create', 'acme', '--label', 'x'.repeat(65)], /--label: must have 1 to 64/],
    ['a page of no rows', ['account', 'show', 'acme', '--rows', '0'], /--rows.* Expected a whole number from 1 to 500/],
    ['orders of no such state', ['order', 'list', '--state', 'bribed'], /must be one of open, paid, expired/],
    ['a host in capitals', ['host', 'add', 'FRA-1'], /NAME: a host name is/],
    [
      'a path in --url',
      ['host', 'list', '--url', 'https://x.example/admin'],
      /--url must have a scheme, a name and a port/,
    ],
    ['a person in --url', ['host', 'list', '--url', 'https://user@x.example'], /--url must have a scheme/],
    ['no scheme in --url', ['host', 'list', '--url', 'x.example'], /--url must have a scheme/],
    ['plain http elsewhere', ['host', 'list', '--url', 'http://10.0.0.1'], /--url must be https/],
    ['a name like this machine', ['host', 'list', '--url', 'http://localhost.x.example'], /--url must be https/],
    ['no operator key', ['host', 'list', '--operator-key', 'nowhere.json'], /nowhere.json cannot be read \(ENOENT\)/],
  ])('%s ends with 2 and one line that says what to do', async (_what, args, line) => {
    const ended = await admin(...args);
    expect(ended).toMatchObject({ code: 2, out: '', err: expect.stringMatching(line) });
    expect(ended.err).toMatch(/^[^\n]{10,200}\n$/);
    expect(ended.err).not.toContain('bob@example.com');
  });
});

describe('--help', () => {
  test.each([
    [[]],
    [['account']],
    [['account', 'show']],
    [['key', 'create']],
    [['credits', 'grant']],
    [['order', 'list']],
    [['host', 'add']],
  ])('is on standard output for %j', async (command) => {
    const ended = await admin(...command, '--help');
    expect(ended).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/^Usage: admin/) });
  });
});

test('edge-key makes a value of EDGE_SIGNING_KEY that the edge reads', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rcpt-edge-key-'));
  try {
    const out = join(folder, 'edge.json');
    const ended = await admin('edge-key', '--out', out, '--json');
    expect(ended).toMatchObject({ code: 0, err: '' });
    expect((await stat(out)).mode & 0o777).toBe(0o600);
    const [publicKey] = publicSigningKeys(await readFile(out, 'utf8'));
    expect(JSON.parse(ended.out)).toEqual({ file: out, publicKey });
  } finally {
    await rm(folder, { recursive: true });
  }
});
