import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

// The files that make a machine a probe host: `prober/deploy/`.

const DEPLOY = fileURLToPath(new URL('../../prober/deploy', import.meta.url));
const read = (file: string): string => readFileSync(join(DEPLOY, file), 'utf8');
const unit = read('rcpt-prober@.service');

describe('the unit', () => {
  test('lets Node’s compiler write code, and denies private networks', () => {
    expect(unit).not.toMatch(/^MemoryDenyWriteExecute=/m);
    const denied = /^IPAddressDeny=(.*)$/m.exec(unit)?.[1]?.split(' ');
    for (const range of [
      '10.0.0.0/8',
      '172.16.0.0/12',
      '192.168.0.0/16',
      '100.64.0.0/10',
      '169.254.0.0/16',
      'fc00::/7',
    ])
      expect(denied).toContain(range);
  });

  const SYSTEMD = {
    skip: spawnSync('systemd-analyze', ['--version']).status !== 0,
    meta: { needs: 'systemd-analyze (apt-get install systemd)' },
  };
  test('is understood by systemd, line by line, and is rated safe', SYSTEMD, () => {
    const folder = mkdtempSync(join(tmpdir(), 'rcpt-unit-'));
    try {
      const path = join(folder, 'rcpt-prober@1.service');
      // A program that is there.
      writeFileSync(path, unit.replace('/opt/rcpt-prober/%i/rcpt-prober', '/bin/true'));
      const verified = spawnSync('systemd-analyze', ['verify', '--man=no', path], { encoding: 'utf8' });
      expect(`${verified.stdout}${verified.stderr}`).toBe('');
      const rated = execFileSync('systemd-analyze', ['security', '--offline=true', path], { encoding: 'utf8' });
      expect(Number(/exposure level for .*: (\d+\.\d)/.exec(rated)?.[1])).toBeLessThanOrEqual(2);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('rcpt-roll', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'rcpt-roll-'));
    for (const version of ['1.0.0', '2.0.0']) {
      mkdirSync(join(root, 'opt/rcpt-prober', version), { recursive: true });
      writeFileSync(join(root, 'opt/rcpt-prober', version, 'rcpt-prober'), '', { mode: 0o755 });
    }
    mkdirSync(join(root, 'bin'));
    mkdirSync(join(root, 'etc/rcpt'), { recursive: true });
    writeFileSync(join(root, 'etc/rcpt/enrolment.json'), '{}');
    mkdirSync(join(root, 'usr/local/bin'), { recursive: true });
    cpSync(join(DEPLOY, 'rcpt-roll'), join(root, 'bin/rcpt-roll'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  /** Runs it with a systemd that says this of the new unit; @returns how it ended and what systemd was told */
  function roll(args: readonly string[], isActive: boolean, pid = 'show) echo 17', log = '') {
    const systemctl = `#!/bin/sh
echo "$*" >> "${root}/calls"
case $1 in
  ${pid} ;;
  list-units)
    echo 'rcpt-prober@2.0.0.service loaded active running'
    # It drains at once.
    case $* in *deactivating*) ;; *) echo 'rcpt-prober@1.0.0.service loaded active running' ;; esac
    ;;
  # Its stop begins a moment after it was asked for.
  is-active) case $3 in *@1.0.0*) [ "$(grep -c 'is-active.*@1.0.0' "${root}/calls")" -lt 3 ] ;; *) ${isActive} ;; esac ;;
esac
`;
    writeFileSync(join(root, 'bin/systemctl'), systemctl);
    chmodSync(join(root, 'bin/systemctl'), 0o755);
    const journal = `case $1 in *INVOCATION*) printf %s '${log}' ;; *) echo its last words; echo ;; esac`;
    writeFileSync(join(root, 'bin/journalctl'), `#!/bin/sh\n${journal}\n`, { mode: 0o755 });
    writeFileSync(join(root, 'calls'), '');
    const env = { PATH: `${root}/bin:/usr/bin:/bin`, RCPT_ROOT: root, RCPT_ROLL_WAIT_S: '0' };
    const { status, stderr } = spawnSync('rcpt-roll', args, { env, encoding: 'utf8' });
    return { code: status, err: stderr, calls: readFileSync(join(root, 'calls'), 'utf8').trim().split('\n') };
  }

  test('starts the new one, and lets the old one drain once the new one has stayed up', () => {
    const { code, calls } = roll(['2.0.0'], true);
    expect(code).toBe(0);
    expect(calls.filter((call) => /^(?:start|stop|enable|disable)/.test(call))).toEqual([
      'start rcpt-prober@2.0.0',
      'enable --quiet rcpt-prober@2.0.0',
      'disable --quiet rcpt-prober@1.0.0.service',
      'stop --no-block rcpt-prober@1.0.0.service',
    ]);
  });

  test('is over once systemd has begun to stop the old one, which another roll would take for running', () => {
    const { calls } = roll(['finish', '2.0.0'], true);
    expect(calls.filter((call) => /^is-active.*@1\.0\.0/.test(call))).toHaveLength(3);
  });

  test.each([
    [
      'fails its jobs',
      '{"event":"linked"}\n{"event":"engine_bug"}',
      /2\.0\.0 fails jobs: \{"event":"engine_bug"\}; it was stopped/,
    ],
    ['does not reach the edge', '{"event":"started"}', /2\.0\.0 has no link to the edge; it was stopped/],
  ])('takes back one that stays up and %s', (_what, log, words) => {
    const { code, err, calls } = roll(['2.0.0'], true, undefined, log);
    expect([code, err]).toEqual([1, expect.stringMatching(words)]);
    expect(calls.filter((call) => call.startsWith('stop'))).toEqual(['stop --no-block rcpt-prober@2.0.0']);
    expect(roll(['2.0.0'], true, undefined, '{"event":"linked"}')).toMatchObject({ code: 0 });
  });

  test('notices one that systemd has started again, and takes it back', () => {
    const pid = `show) echo "$$"`;
    expect(roll(['2.0.0'], true, pid)).toMatchObject({ code: 1, err: expect.stringContaining('did not stay up') });
  });

  test('moves the command to the version that runs, and keeps two besides it: the one before, and the latest', () => {
    const versions = join(root, 'opt/rcpt-prober');
    for (const [at, version] of ['1.0.0', '0.7.0', '0.8.0', '0.9.0'].entries()) {
      mkdirSync(join(versions, version), { recursive: true });
      utimesSync(join(versions, version), at, at);
    }
    expect(roll(['2.0.0'], true).code).toBe(0);
    expect(readlinkSync(join(root, 'usr/local/bin/rcpt-prober'))).toBe('../../../opt/rcpt-prober/2.0.0/rcpt-prober');
    expect(readdirSync(versions).toSorted()).toEqual(['0.9.0', '1.0.0', '2.0.0']);
  });

  test('leaves the old one alone if the new one did not stay up', () => {
    const { code, err, calls } = roll(['2.0.0'], false);
    expect(code).toBe(1);
    expect(err).toBe(
      'rcpt-roll: 2.0.0 did not stay up; it was stopped, and the old version still serves. Its last line: its last words\n',
    );
    expect(calls.filter((call) => call.startsWith('stop'))).toEqual(['stop --no-block rcpt-prober@2.0.0']);
  });

  test('stops nothing that runs alone: the edge may only not see it', () => {
    const alone = `list-units) echo 'rcpt-prober@2.0.0.service loaded active running' ;; show) echo 17`;
    expect(roll(['abort', '2.0.0'], true, alone).calls.filter((call) => call.startsWith('stop'))).toEqual([]);
  });

  test('stops nothing for a version that does not run, as when another roll has stopped it', () => {
    const { code, err, calls } = roll(['finish', '2.0.0'], false);
    expect([code, err]).toEqual([1, 'rcpt-roll: 2.0.0 does not run; nothing was stopped\n']);
    expect(calls.filter((call) => /^(?:stop|disable)/.test(call))).toEqual([]);
  });

  test.each([
    ['is not there', (file: string) => rmSync(file)],
    ['is empty', (file: string) => writeFileSync(file, '')],
    ['is not there, nor its folder', (file: string) => rmSync(join(file, '..'), { recursive: true })],
  ])('says that the machine has not joined if its enrolment %s, and tells systemd nothing', (_what, spoil) => {
    spoil(join(root, 'etc/rcpt/enrolment.json'));
    for (const args of [['2.0.0'], ['start', '2.0.0']])
      expect(roll(args, true)).toEqual({
        code: 1,
        err: 'rcpt-roll: this machine has not joined yet: run, as root, rcpt-prober join URL INVITATION\n',
        calls: [''],
      });
  });

  test.each([
    [['3.0.0'], 1, /3\.0\.0 is not installed/],
    [[], 2, /usage: rcpt-roll VERSION/],
    [['start'], 2, /usage: rcpt-roll start VERSION/],
  ])('%j: says what is wrong and tells systemd nothing', (args, code, words) => {
    const ended = roll(args, true);
    expect(ended).toMatchObject({ code, calls: [''] });
    expect(ended.err).toMatch(words);
  });
});
