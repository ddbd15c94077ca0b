/** A text as a shell takes it for one word, so that a command that is shown can be copied. */
export function shellWord(text: string, isWindows = process.platform === 'win32'): string {
  // Windows' names have no quotation marks, and its two shells agree on these alone.
  if (isWindows) return /^[\w.\\/:@+=,-]+$/.test(text) ? text : `"${text}"`;
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
