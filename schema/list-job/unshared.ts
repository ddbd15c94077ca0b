/** A copy: a cell is a view of the piece of the file that it was read from, and would keep all of it in memory. */
export function unshared(text: string): string {
  const copy: unknown = JSON.parse(JSON.stringify(text));
  return typeof copy === 'string' ? copy : text;
}
