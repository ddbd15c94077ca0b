/** A number that fades: half of it is gone after a time that its owner says. */
export type Fading = { readonly value: number; readonly atMs: number };

export function faded({ value, atMs }: Fading, nowMs: number, halfMs: number): number {
  return value * 0.5 ** (Math.max(0, nowMs - atMs) / halfMs);
}

export function more(fading: Fading, by: number, nowMs: number, halfMs: number): Fading {
  return { value: faded(fading, nowMs, halfMs) + by, atMs: nowMs };
}
