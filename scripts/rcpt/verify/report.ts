import { harmlessLine } from '../words/words.ts';
import { CLEAR_LINE, type Terminal } from '../environment/environment.ts';
import type { Figures, Plan } from './figures.ts';
import { estimateOfRest, planLines, progressLine, secondsLeft, summaryLines } from './lines.ts';

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
  return {
    inform: say,
    pause,
    plan: (plan) => planLines(plan).forEach(say),
    begin: (figures) => {
      if (isQuiet) return;
      const rate = rateOf(figures);
      const show = (): void => {
        const line = progressLine(figures(), rate());
        // A line that wrapped could not be cleared.
        if (isDrawn) terminal.write(`${CLEAR_LINE}${line.slice(0, (terminal.columns ?? 80) - 1)}`);
        else terminal.write(`${line}\n`);
      };
      timer = setInterval(show, isDrawn ? DRAW_MS : WRITE_MS).unref();
    },
    summary: (plan, figures, seconds) => summaryLines(plan, figures, seconds).forEach(say),
    end: () => {},
  };
}

/** Events, one a line, the last one `end`. */
export function jsonReport(out: NodeJS.WritableStream): Report {
  const write = (event: string, fields: object): void => void out.write(`${JSON.stringify({ event, ...fields })}\n`);
  let timer: NodeJS.Timeout | null = null;
  return {
    inform: (message) => write('note', { message }),
    plan: (plan) => write('plan', plan),
    begin: (figures) => {
      const rate = rateOf(figures);
      timer = setInterval(() => {
        const perSecond = rate();
        const now = figures();
        const left = secondsLeft(now, perSecond);
        write('progress', { ...plainOf(now), perSecond, secondsLeft: left === null ? null : Math.ceil(left) });
      }, WRITE_MS).unref();
    },
    pause: () => {
      if (timer !== null) clearInterval(timer);
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

/** Answers a second since it began. What the journal knew comes all at once and says nothing of the service. */
function rateOf(figures: () => Figures): () => number {
  const startedMs = performance.now();
  return () => {
    const { done, known } = figures();
    return (Math.max(0, done - known) * 1_000) / Math.max(1, performance.now() - startedMs);
  };
}
