import { harmlessLine } from '../words/words.ts';
import { CLEAR_LINE, type Terminal } from '../environment/environment.ts';
import { watch } from '../table/watch.ts';
import type { Figures, Plan } from './figures.ts';
import type { Source } from '../../../schema/lists/reading/source.ts';
import { Speed } from '../../../schema/list-job/speed.ts';
import { estimateOfRest, planLines, progressLine, summaryLines } from './lines.ts';

// How a run is reported: in words to people on standard error, or as lines of JSON to programs on standard output.

/** How a run ended, for a program. */
export type End = {
  readonly exitCode: number;
  readonly message: string | null;
  readonly output: string | null;
  readonly journal: string | null;
};

export type Report = {
  /** Something that the user should know. */
  readonly inform: (line: string) => void;
  /** Says how far a list is read, until `pause`. @returns the list, to be read in its place */
  readonly watch: (source: Source) => Source;
  readonly plan: (plan: Plan) => void;
  readonly begin: (figures: () => Figures) => void;
  /** Nothing more is drawn. */
  readonly pause: () => void;
  readonly summary: (plan: Plan, figures: Figures, seconds: number) => void;
  readonly end: (end: End) => void;
};

/** How often the line is redrawn on a terminal; elsewhere a new line is written instead. */
const DRAW_MS = 500;
const WRITE_MS = 10_000;
/** Below it reading takes a moment. */
const LARGE_BYTES = 10_000_000;

/** @param sharesTerminal rows go to the same terminal: nothing is drawn over them */
export function wordReport(terminal: Terminal, isQuiet: boolean, sharesTerminal: boolean): Report {
  const isDrawn = terminal.isTTY === true && !sharesTerminal;
  let timer: NodeJS.Timeout | null = null;
  const say = (line: string): void => {
    if (isQuiet) return;
    terminal.write(`${timer !== null && isDrawn ? CLEAR_LINE : ''}${harmlessLine(line)}\n`);
  };
  const pause = (): void => {
    if (timer === null) return;
    clearInterval(timer);
    timer = null;
    if (isDrawn) terminal.write(CLEAR_LINE);
  };
  const show = (line: () => string): void => {
    pause();
    if (isQuiet) return;
    const draw = (): void => {
      // A line that wrapped could not be cleared.
      if (isDrawn) terminal.write(`${CLEAR_LINE}${harmlessLine(line()).slice(0, (terminal.columns ?? 80) - 1)}`);
      else terminal.write(`${harmlessLine(line())}\n`);
    };
    timer = setInterval(draw, isDrawn ? DRAW_MS : WRITE_MS).unref();
  };
  return {
    inform: say,
    pause,
    watch: (source) => {
      const { watched, at } = watch(source);
      const line = (): string => `${source.name}: ${at().stage}, ${Math.floor(at().share * 100)} %`;
      show(line);
      if (!isDrawn && source.size >= LARGE_BYTES) say(line());
      return watched;
    },
    plan: (plan) => planLines(plan).forEach(say),
    begin: (figures) => {
      const look = looker(figures);
      show(() => {
        const { now, perSecond, left } = look();
        return progressLine(now, perSecond, left);
      });
    },
    summary: (plan, figures, seconds) => summaryLines(plan, figures, seconds).forEach(say),
    end: () => {},
  };
}

/** Events, one a line, the last one `end`. */
export function jsonReport(out: NodeJS.WritableStream): Report {
  const write = (event: string, fields: object): void => void out.write(`${JSON.stringify({ event, ...fields })}\n`);
  let timer: NodeJS.Timeout | null = null;
  const pause = (): void => {
    if (timer !== null) clearInterval(timer);
  };
  const repeat = (tell: () => void): void => {
    pause();
    timer = setInterval(tell, WRITE_MS).unref();
  };
  return {
    inform: (message) => write('note', { message }),
    pause,
    watch: (source) => {
      const { watched, at } = watch(source);
      const tell = (): void => write('reading', { input: source.name, ...at() });
      repeat(tell);
      if (source.size >= LARGE_BYTES) tell();
      return watched;
    },
    plan: (plan) => write('plan', plan),
    begin: (figures) => {
      const look = looker(figures);
      repeat(() => {
        const { now, perSecond, left } = look();
        write('progress', { ...plainOf(now), perSecond, secondsLeft: left === null ? null : Math.ceil(left) });
      });
    },
    summary: (plan, figures, seconds) => {
      const estimate = plan.sample === null ? {} : { creditsForRest: estimateOfRest(plan, figures) };
      write('summary', { ...plainOf(figures), seconds, ...estimate });
    },
    end: (end) => write('end', end),
  };
}

/** As JSON has it. */
function plainOf({ verdicts, ...counts }: Figures): object {
  return { ...counts, verdicts: Object.fromEntries(verdicts) };
}

type Look = { readonly now: Figures; readonly perSecond: number | null; readonly left: number | null };

/** How fast it is. What the journal knew comes all at once and says nothing of the service. */
function looker(figures: () => Figures): () => Look {
  const speed = new Speed(performance.now());
  return () => {
    const nowMs = performance.now();
    const now = figures();
    const { done, known, total, waiting } = now;
    speed.note(nowMs, Math.max(0, done - known), total - done - waiting);
    return { now, perSecond: speed.perSecond, left: speed.leftS(nowMs) };
  };
}
