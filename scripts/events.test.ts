import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { PAGING } from '../edge/base/paging.ts';
import { REFUSED } from '../edge/fleet/dial-in/refused-links.ts';
import { COMPLAINTS } from '../edge/fleet/trust/complaints.ts';
import { EVENTS } from '../prober/base/log.ts';
import { canarySchema, jobRefusalSchema } from '../schema/link.ts';

// What edge and hosts say in their logs, and what an operator does about it: the tables of the runbooks and the code.

const ROOT = join(import.meta.dirname, '..');
/** A log line as any part of the edge writes it, through any variable that holds the log. */
const LINE = /\b[#\w]*log\(\s*'(info|warn|error)',\s*'([a-z_0-9]+)'/g;
/** `edge/scheduled.ts` names the line of each duty that fails. */
const DUTY = /\bguarded\(\s*'([a-z_]+)'/g;
const ROW = /^\| `([a-z_0-9]+)` \| (info|warn|error) \| (page|look|ignore) \| (.+?) \| (.*?) ?\|$/gm;

type Row = { readonly event: string; readonly level: string; readonly action: string; readonly remedy: string };

function sources(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter(
      (name) => name.endsWith('.ts') && !name.includes('.test.') && !/(?:^|\/)(?:testing|local|dashboard)\//.test(name),
    )
    .map((name) => readFileSync(join(ROOT, folder, name), 'utf8'));
}

function rowsOf(file: string): readonly Row[] {
  return [...readFileSync(join(ROOT, file), 'utf8').matchAll(ROW)].map(([, event, level, action, , remedy]) => ({
    event: event ?? '',
    level: level ?? '',
    action: action ?? '',
    remedy: remedy ?? '',
  }));
}

/** The first cells of a runbook's tables, without what stands behind them in brackets. */
function shownIn(file: string): readonly string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return [...text.matchAll(/^\| ([^|]+?)(?: \([^|]*)? \|/gm)].map(([, cell = '']) => cell);
}

const said = sources('edge').flatMap((text) => [
  ...[...text.matchAll(LINE)].map(([, level, event]) => `${event} ${level}`),
  ...[...text.matchAll(DUTY)].map(([, event]) => `${event} error`),
]);

test.each([
  ['edge/runbooks/events.md', [...new Set(said)]],
  ['prober/runbooks/events.md', Object.entries(EVENTS).map(([event, level]) => `${event} ${level}`)],
])('%s has every event of the code once, with its level, and no other', (file, inCode) => {
  expect(inCode.length).toBeGreaterThan(15);
  const rows = rowsOf(file).map(({ event, level }) => `${event} ${level}`);
  expect(rows.toSorted()).toEqual([...inCode].toSorted());
});

test('no part of the edge writes a line past the log', () => {
  const strays = sources('edge').filter((text) => /\bconsole\.(?:log|error|warn|info)\(/.test(text));
  expect(strays).toEqual([]);
});

test('what pages or is to be looked at says what to do', () => {
  const rows = ['edge/runbooks/events.md', 'prober/runbooks/events.md'].flatMap(rowsOf);
  expect(rows.filter(({ action, remedy }) => action !== 'ignore' && remedy === '').map(({ event }) => event)).toEqual(
    [],
  );
});

test('what pages at the edge is what the webhook hears of, with a runbook that says how to see it, check it and what to do', () => {
  const paging = rowsOf('edge/runbooks/events.md').filter(({ action }) => action === 'page');
  expect(Object.keys(PAGING).toSorted()).toEqual(paging.map(({ event }) => event).toSorted());
  for (const { event, remedy } of paging) {
    const [, runbook] = Object.entries(PAGING).find(([name]) => name === event) ?? [];
    const text = readFileSync(join(ROOT, runbook ?? ''), 'utf8');
    for (const part of ['**Symptom.**', '**Check.**', event])
      expect({ runbook, text }).toMatchObject({ text: expect.stringContaining(part) });
    expect({ event, does: /\*\*do[*.,]/i.test(text) }).toEqual({ event, does: true });
    expect({ event, remedy }).toMatchObject({ remedy: expect.stringContaining(basename(runbook ?? '')) });
  }
});

test('what pages at a host has a runbook that names it, and says how to see it, check it and what to do', () => {
  const paging = rowsOf('prober/runbooks/events.md').filter(({ action }) => action === 'page');
  expect(paging.length).toBeGreaterThan(2);
  for (const { event, remedy } of paging) {
    const [, file = ''] = /`([a-z-]+\.md)`/.exec(remedy) ?? [];
    const text = readFileSync(join(ROOT, 'prober/runbooks', file), 'utf8');
    for (const part of ['**Symptom.**', '**Check.**', `\`${event}\``])
      expect({ file, text }).toMatchObject({ text: expect.stringContaining(part) });
    expect({ file, does: /\*\*Do[*.,]/.test(text) }).toEqual({ file, does: true });
  }
});

test('whatever is held against a host has its row in the runbook', () => {
  const { selfCheck, refuses, ...counted } = COMPLAINTS;
  const complaints = [
    selfCheck([]),
    ...canarySchema.options.map((canary) => selfCheck([canary])),
    ...jobRefusalSchema.options.map(refuses),
    ...Object.values(counted).map((words) => words(7).replace('7', 'N')),
  ];
  expect(complaints.length).toBeGreaterThan(14);
  expect(complaints.filter((one) => !shownIn('prober/runbooks/host-sick.md').includes(one))).toEqual([]);
});

test('whatever a host is shut out for has its row in the runbook', () => {
  const rows = shownIn('prober/runbooks/host-away.md');
  expect(Object.values(REFUSED).filter((why) => !rows.some((row) => row !== '' && why.startsWith(row)))).toEqual([]);
});

test('every runbook that a table names is there', () => {
  for (const folder of ['edge/runbooks', 'prober/runbooks']) {
    const text = readFileSync(join(ROOT, folder, 'events.md'), 'utf8');
    const known = new Set(['edge', 'prober'].flatMap((side) => readdirSync(join(ROOT, side, 'runbooks'))));
    const named = [...text.matchAll(/`(?:[a-z]+\/)*([a-z0-9-]+\.md)`/g)].map(([, file]) => file ?? '');
    expect(named.filter((file) => !known.has(file))).toEqual([]);
  }
});
