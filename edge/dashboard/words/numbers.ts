// Numbers and dates as the reader writes them.

const whole = new Intl.NumberFormat();
const withSign = new Intl.NumberFormat(undefined, { signDisplay: 'exceptZero' });
const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });
const oneDecimal = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const shortDay = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });
const month = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric' });
const shortMonth = new Intl.DateTimeFormat(undefined, { month: 'short' });
const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** `12345` → `12,345` */
export function count(value: number): string {
  return whole.format(value);
}

/** `1`, `address`, `addresses` → `1 address` */
export function counted(value: number, one: string, many: string): string {
  return `${whole.format(value)} ${value === 1 ? one : many}`;
}

/** `+1,200` or `−300`: always with its sign. */
export function signed(delta: number): string {
  return withSign.format(delta);
}

export function credits(value: number): string {
  return counted(value, 'credit', 'credits');
}

/** A part of a whole; `0 %` of nothing. Only the whole is `100 %`, and only nothing `0 %`. */
export function share(part: number, all: number): string {
  if (part === 0 || part === all) return percent.format(part === 0 ? 0 : 1);
  return percent.format(Math.min(0.999, Math.max(0.001, part / all)));
}

/** How much of something is done: whole percents, rounded down. */
export function progress(done: number, all: number): string {
  return percent.format(all === 0 ? 1 : Math.floor((done / all) * 100) / 100);
}

export function fileSize(bytes: number): string {
  if (bytes < 1_000) return counted(bytes, 'byte', 'bytes');
  return bytes < 1_000_000 ? `${oneDecimal.format(bytes / 1_000)} kB` : `${oneDecimal.format(bytes / 1_000_000)} MB`;
}

/** @param amount in whole minor units, such as cents */
export function money(amount: number, currency: string): string {
  const format = new Intl.NumberFormat(undefined, { style: 'currency', currency });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

/** What 1,000 credits of a pack cost. */
export function perThousand(pack: {
  readonly credits: number;
  readonly amount: number;
  readonly currency: string;
}): string {
  return money((pack.amount * 1_000) / pack.credits, pack.currency);
}

/** How long something takes, as precisely as anyone wants to know: `40 s`, `12 min`, `3 h 20 min`, `2 days`. */
export function duration(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours >= 36) return counted(Math.round(hours / 24), 'day', 'days');
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
}

/** @param iso `2026-11-21T10:00:00Z`, or a day such as `2026-11-21`, which is taken as it stands */
export function onDay(iso: string): string {
  return day.format(dateOf(iso));
}

export function onShortDay(iso: string): string {
  return shortDay.format(dateOf(iso));
}

/** @param iso a day of it */
export function onMonth(iso: string): string {
  return month.format(dateOf(iso));
}

export function onShortMonth(iso: string): string {
  return shortMonth.format(dateOf(iso));
}

export function atMoment(iso: string): string {
  return moment.format(new Date(iso));
}

/** `14:35`; with its day if that is not today. */
export function atTime(ms: number): string {
  const isToday = new Date(ms).toDateString() === new Date().toDateString();
  return (isToday ? time : moment).format(ms);
}

/** `20 Nov 2026, 12:00–12:31` */
export function duringMoments(from: string, to: string): string {
  return moment.formatRange(new Date(from), new Date(to));
}

function dateOf(iso: string): Date {
  return /^\d{4}-\d\d-\d\d$/.test(iso) ? new Date(`${iso}T12:00:00`) : new Date(iso);
}
