import { Instrumenter } from '@stryker-mutator/instrumenter';
import { transformSync } from 'esbuild';

/** One small bug: `before` between `start` and `end` of the source becomes `after`. */
export type Mutant = {
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly after: string;
};
type Change = Pick<Mutant, 'start' | 'end' | 'after'>;

const SILENT = {
  isTraceEnabled: () => false,
  isDebugEnabled: () => false,
  isInfoEnabled: () => false,
  isWarnEnabled: () => false,
  isErrorEnabled: () => false,
  isFatalEnabled: () => false,
  trace: () => undefined,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  fatal: () => undefined,
};
/** Mostly texts for people, which tests need not repeat. */
const EXCLUDED = ['StringLiteral'];

/** Statements in capitals, as the project writes them. The library sees only a text in them. */
const SQL = /(?<=[`'])[^`']*\b(?:SELECT|INSERT|UPDATE|DELETE)\b[^`]*(?=[`'])/g;
const SQL_WORD = /(?<= )(?:AND|OR|<=?|>=?|=|<>|NOT|DESC)(?= )/g;
const SQL_CHANGES: Readonly<Record<string, string>> = {
  AND: 'OR',
  OR: 'AND',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '=': '<>',
  '<>': '=',
  NOT: '',
  DESC: 'ASC',
};

/** The small bugs that a source can have: Stryker's, and a few in SQL. */
export async function mutantsOf(name: string, source: string): Promise<readonly Mutant[]> {
  const { mutants } = await new Instrumenter(SILENT).instrument([{ name, content: source, mutate: true }], {
    plugins: null,
    ignorers: [],
    excludedMutations: EXCLUDED,
  });
  const starts = [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const offset = ({ line, column }: { line: number; column: number }): number => (starts[line] ?? 0) + column;
  const wanted = mutants.filter(({ status }) => status !== 'Ignored');
  const changes = wanted.map(({ location, replacement }): Change => ({
    start: offset(location.start),
    end: offset(location.end),
    // As an operand it may bind less than what it replaces; a block or a case of a switch is no operand.
    after: /^(?:\{|case\b|default\b)/.test(replacement) ? replacement : `(${replacement})`,
  }));
  return [...changes, ...sqlChanges(source)]
    .toSorted((a, b) => a.start - b.start)
    .map((change) => ({
      ...change,
      line: starts.findLastIndex((start) => start <= change.start) + 1,
      before: source.slice(change.start, change.end),
    }))
    .filter((mutant) => isCode(mutated(source, mutant)));
}

/** The source with the bug in it. */
export function mutated(source: string, { start, end, after }: Change): string {
  return source.slice(0, start) + after + source.slice(end);
}

function sqlChanges(source: string): readonly Change[] {
  return [...source.matchAll(SQL)].flatMap((statement) =>
    [...statement[0].matchAll(SQL_WORD)].map(({ 0: word, index }) => {
      const start = statement.index + index;
      return { start, end: start + word.length, after: SQL_CHANGES[word] ?? '' };
    }),
  );
}

/** A bug that is not valid code would be caught by any importer. */
function isCode(source: string): boolean {
  try {
    transformSync(source, { loader: 'ts', logLevel: 'silent' });
    return true;
  } catch {
    return false;
  }
}
