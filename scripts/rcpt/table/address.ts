const ADDRESS = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+\.?$/u;
const LENGTH_MAX = 320;

/** Whether a cell looks like an address, which tells a column of them from others. The service alone knows if it is. */
export function looksLikeAddress(cell: string): boolean {
  const text = cell.trim();
  return text.length <= LENGTH_MAX && ADDRESS.test(text);
}
