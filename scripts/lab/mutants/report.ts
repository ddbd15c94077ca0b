import type { Judged } from './judged.ts';
import type { Mutant } from './mutants.ts';

export type Fate = 'caught' | 'timeout' | 'lived' | 'untested';
export type Tried = { readonly file: string; readonly mutant: Mutant; readonly fate: Fate };

export type FileReport = {
  readonly file: string;
  readonly mutants: number;
  readonly caught: number;
  readonly timeouts: number;
  readonly judged: number;
  readonly lived: number;
  readonly untested: number;
  /** Of all its mutants, how many were caught or ran out of time: 0 to 100, rounded down to a tenth. */
  readonly percent: number;
};

export type Survivor = Pick<Mutant, 'line' | 'before' | 'after'> & { readonly file: string };

export type Report = {
  readonly files: readonly FileReport[];
  /** All of them together. */
  readonly total: FileReport;
  readonly survivors: readonly Survivor[];
  readonly judged: readonly Judged[];
  /** Judged mutants of these files that did not survive. */
  readonly stale: readonly Judged[];
};

/**
 * What came of the mutants.
 * @param all whether every mutant of the files was tried: a sample makes no judgement stale
 */
export function reportOn(tried: readonly Tried[], judgements: readonly Judged[], all: boolean): Report {
  const files = [...new Set(tried.map(({ file }) => file))];
  const living = tried.filter(({ fate }) => fate === 'lived' || fate === 'untested').map(survivorOf);
  const concerned = judgements.filter(({ file }) => files.includes(file));
  return {
    files: files.map((file) =>
      count(
        file,
        tried.filter((each) => each.file === file),
        judgements,
      ),
    ),
    total: count('all', tried, judgements),
    survivors: living.filter((survivor) => judgementOn(survivor, judgements) === undefined),
    judged: living.flatMap((survivor) => judgementOn(survivor, judgements) ?? []),
    stale: all ? concerned.filter((judged) => !living.some((survivor) => isAbout(judged, survivor))) : [],
  };
}

function count(file: string, tried: readonly Tried[], judgements: readonly Judged[]): FileReport {
  const of = (fate: Fate): readonly Tried[] => tried.filter((each) => each.fate === fate);
  const lived = of('lived');
  const judged = lived.filter((each) => judgementOn(survivorOf(each), judgements) !== undefined).length;
  const [caught, timeouts, untested] = [of('caught').length, of('timeout').length, of('untested').length];
  return {
    file,
    mutants: tried.length,
    caught,
    timeouts,
    judged,
    lived: lived.length - judged,
    untested,
    percent: tried.length === 0 ? 100 : Math.floor(((caught + timeouts) * 1_000) / tried.length) / 10,
  };
}

function survivorOf({ file, mutant: { line, before, after } }: Tried): Survivor {
  return { file, line, before, after };
}

function judgementOn(survivor: Survivor, judgements: readonly Judged[]): Judged | undefined {
  return judgements.find((judged) => isAbout(judged, survivor));
}

function isAbout(judged: Judged, { file, before, after }: Survivor): boolean {
  return judged.file === file && judged.before === before && judged.after === after;
}

const COLUMNS = ['mutants', 'caught', 'timeouts', 'judged', 'lived', 'untested', 'percent'] as const;

/** For a developer to read: the judged, the survivors, and a line of figures for each file. */
export function describeReport(report: Report): string {
  const width = Math.max(...report.files.map(({ file }) => file.length), 4);
  const cells = COLUMNS.map((column) => column.padStart(9)).join('');
  const rows = (report.files.length > 1 ? [...report.files, report.total] : report.files).map(
    (row) => row.file.padEnd(width) + COLUMNS.map((column) => String(row[column]).padStart(9)).join(''),
  );
  return [
    ...report.survivors.map(({ file, line, before, after }) => `${file}:${line}\n  - ${before}\n  + ${after}\n`),
    ...report.judged.map(
      ({ file, before, after, reason }) => `judged: ${file}\n  - ${before}\n  + ${after}\n  ${reason}\n`,
    ),
    ...report.stale.map(({ file, before, after }) => `stale judgement: ${file}\n  - ${before}\n  + ${after}\n`),
    ' '.repeat(width) + cells,
    ...rows,
    '',
  ].join('\n');
}
