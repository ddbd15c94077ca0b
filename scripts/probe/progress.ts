/** Fewer addresses are done before anybody needs to see progress. */
const MANY = 50;
/** The rate is measured over this many seconds. */
const RATE_WINDOW_MS = 10_000;
const TICK_MS = 500;
const CLEAR_LINE = '\r\u001b[K';
/** Room on a terminal that does not say how wide it is. */
const COLUMNS = 80;

type Terminal = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };

/** The total: exact once the input has ended, estimated by its bytes if it is a file, else unknown. */
export type Extent = { readonly total: number; readonly exact: boolean } | null;

/** A progress line on the terminal. */
export class Progress {
  readonly #terminal: Terminal;
  readonly #now: () => number;
  readonly #sharesLine: boolean;
  readonly #marks: Array<{ readonly at: number; readonly done: number }> = [];
  #timer: NodeJS.Timeout | null = null;
  #done = 0;
  #extent: Extent = null;

  /**
   * @param terminal where to draw; if it is not a terminal, nothing is drawn
   * @param sharesLine the results go to the same terminal, between the drawings
   */
  constructor(terminal: Terminal, sharesLine: boolean, now: () => number) {
    this.#terminal = terminal;
    this.#sharesLine = sharesLine;
    this.#now = now;
  }

  /** Addresses read so far, and how many there are in all. */
  expect(read: number, extent: Extent): void {
    this.#extent = extent;
    if (this.#timer === null && this.#terminal.isTTY === true && read >= MANY)
      this.#timer = setInterval(() => this.#draw(), TICK_MS).unref();
  }

  /** One more address has its result. */
  step(): void {
    this.#done += 1;
    if (this.#timer !== null && this.#sharesLine) this.#terminal.write(CLEAR_LINE);
  }

  stop(): void {
    if (this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
    this.#draw();
    this.#terminal.write('\n');
  }

  #draw(): void {
    this.#marks.push({ at: this.#now(), done: this.#done });
    while (this.#marks.length > RATE_WINDOW_MS / TICK_MS) this.#marks.shift();
    // A line that wrapped could not be cleared.
    const room = (this.#terminal.columns || COLUMNS) - 1;
    const line = describeProgress(this.#done, this.#extent, this.#rate()).slice(0, room);
    this.#terminal.write(`${CLEAR_LINE}${line}`);
  }

  /** Addresses a second. */
  #rate(): number {
    const first = this.#marks[0];
    const last = this.#marks.at(-1);
    if (first === undefined || last === undefined || last.at === first.at) return 0;
    return ((last.done - first.done) * 1_000) / (last.at - first.at);
  }
}

/** @param rate addresses a second */
export function describeProgress(done: number, extent: Extent, rate: number): string {
  const speed = `${rate < 10 ? rate.toFixed(1) : count(rate)}/s`;
  if (extent === null) return `${count(done)} verified, ${speed}`;
  const total = Math.max(extent.total, done);
  const share = total === 0 ? 1 : done / total;
  const left = rate > 0 ? `${duration((total - done) / rate)} left` : 'time left unknown';
  return `${count(done)} of ${extent.exact ? '' : 'about '}${count(total)} verified (${Math.floor(share * 100)} %), ${speed}, ${left}`;
}

function count(number: number): string {
  return Math.round(number).toLocaleString('en');
}

function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3_600)} h ${Math.floor((whole % 3_600) / 60)} min`;
}
