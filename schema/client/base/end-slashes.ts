/** A URL or path without the slashes at its end. */
export function withoutEndSlashes(url: string): string {
  return /^.*[^/]/s.exec(url)?.[0] ?? '';
}
