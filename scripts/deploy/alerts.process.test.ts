import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createMetrics } from '../../prober/ops/metrics/metrics.ts';
import { IDLE_STATUS } from '../../prober/testing/idle-status.ts';

// The alert rules and the dashboard: `prober/deploy/metrics/`.

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDER = join(ROOT, 'prober/deploy/metrics');
const rules = readFileSync(join(FOLDER, 'alerts.yml'), 'utf8');
const cases = readFileSync(join(FOLDER, 'alerts.test.yml'), 'utf8');
const dashboard = readFileSync(join(FOLDER, 'dashboard.json'), 'utf8');
const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name ?? '');

/** The queries of the dashboard's panels. */
function asked(): readonly string[] {
  const panels = z.object({ panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })) })) });
  return panels.parse(JSON.parse(dashboard)).panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
}

const promtool = ['/usr/local/lib/rcpt-promtool/usr/bin/promtool', '/usr/bin/promtool'].find((path) =>
  existsSync(path),
);
// CI installs it; elsewhere the rules are only compared with what is measured.
const PROMTOOL = {
  skip: promtool === undefined && process.env['CI'] === undefined,
  meta: { needs: 'promtool (scripts/deploy/install-promtool.sh)' },
};

describe('the alert rules', () => {
  test('fire, and do not, as their cases say', { ...PROMTOOL, timeout: 60_000 }, () => {
    const ran = spawnSync(promtool ?? 'promtool', ['test', 'rules', 'alerts.test.yml'], {
      cwd: FOLDER,
      encoding: 'utf8',
    });
    expect(`${ran.stdout}${ran.stderr}`).toContain('SUCCESS');
    expect(ran.status).toBe(0);
  });

  test('have each a case that fires and one that does not, and a runbook that is there', () => {
    expect(alerts.length).toBeGreaterThan(10);
    for (const alert of alerts) {
      expect(cases).toContain(`name: ${alert} fires`);
      expect(cases).toContain(`name: ${alert} does not`);
    }
    const runbooks = [...rules.matchAll(/runbook: (\S+)/g)].map(([, path]) => path ?? '');
    expect(runbooks).toHaveLength(alerts.length);
    expect(runbooks.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  test('have each a runbook that names it, and says how to see it, check it and what to do', () => {
    for (const [, alert = '', path = ''] of rules.matchAll(/- alert: (\w+)[^]*?runbook: (\S+)/g)) {
      const text = readFileSync(join(ROOT, path), 'utf8');
      for (const part of [`\`${alert}\``, '**Symptom.**', '**Check.**'])
        expect({ path, text }).toMatchObject({ text: expect.stringContaining(part) });
      expect({ path, does: /\*\*Do[*.,]/.test(text) }).toEqual({ path, does: true });
    }
  });

  test('are found by the scrape configuration as it stands, whose job they ask for', PROMTOOL, () => {
    const ran = spawnSync(promtool ?? 'promtool', ['check', 'config', 'prometheus.yml'], {
      cwd: FOLDER,
      encoding: 'utf8',
    });
    expect({ status: ran.status, said: `${ran.stdout}${ran.stderr}` }).toEqual({
      status: 0,
      said: expect.stringContaining(`${alerts.length} rules found`),
    });
    const jobs = new Set([...rules.matchAll(/job="([^"]+)"/g)].map(([, job]) => job));
    const scraped = /job_name: (\S+)/.exec(readFileSync(join(FOLDER, 'prometheus.yml'), 'utf8'))?.[1];
    expect([...jobs]).toEqual([scraped]);
  });

  test('and the dashboard have queries that Prometheus reads', PROMTOOL, async () => {
    const rows = asked().map((expr, n) => ({ record: `panel:${n}`, expr: expr.replaceAll('$__rate_interval', '5m') }));
    const folder = await mkdtemp(join(tmpdir(), 'rcpt-dashboard-'));
    const file = join(folder, 'rules.yml');
    // JSON is YAML.
    await writeFile(file, JSON.stringify({ groups: [{ name: 'dashboard', rules: rows }] }));
    const ran = spawnSync(promtool ?? 'promtool', ['check', 'rules', file], { encoding: 'utf8' });
    await rm(folder, { recursive: true });
    expect({ status: ran.status, said: `${ran.stdout}${ran.stderr}` }).toEqual({
      status: 0,
      said: expect.stringContaining(`${rows.length} rules found`),
    });
  });

  test('and the dashboard ask for nothing that a host does not measure', async () => {
    const measured = await createMetrics(() => IDLE_STATUS, { now: () => 0 }).text();
    expect(asked().length).toBeGreaterThan(8);
    const names = [rules, ...asked()].flatMap((text) => text.match(/\b(?:rcpt|nodejs|process)_[a-z0-9_]+/g) ?? []);
    const known = new Set([...measured.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name ?? ''));
    expect(names.map((name) => name.replace(/_bucket$/, '')).filter((name) => !known.has(name))).toEqual([]);
  });
});
