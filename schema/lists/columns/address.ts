const ADDRESS = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+\.?$/u;
const LENGTH_MAX = 320;
const IN_BRACKETS = /<([^<>]+)>\s*$/;

/** Put in front of what a spreadsheet would run, by us (`writing/csv.ts`) and by others. */
const APOSTROPHE = /^'(?=[=+\-@])/;

/** The address that a cell holds: itself, or what stands in brackets in `Ann <ann@…>`. */
export function addressIn(cell: string): string {
  return (IN_BRACKETS.exec(cell)?.[1] ?? cell).trim().replace(APOSTROPHE, '');
}

/** Whether a cell looks like an address, which tells a column of them from others. The service alone knows if it is. */
export function looksLikeAddress(cell: string): boolean {
  const text = addressIn(cell);
  return text.length <= LENGTH_MAX && ADDRESS.test(text);
}
