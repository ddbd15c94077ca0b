// What people read.

export function count(number: number): string {
  return Math.round(number).toLocaleString('en-US');
}

/** `1 row`, `2 rows` */
export function several(number: number, one: string, more = `${one}s`): string {
  return `${count(number)} ${number === 1 ? one : more}`;
}

export function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3_600)} h ${Math.floor((whole % 3_600) / 60)} min`;
}

/** Without its end: full stops and white space. */
export function sentence(text: string): string {
  return /^.*[^.\s]/s.exec(text)?.[0] ?? '';
}

/** Without the characters that a terminal would obey: names of columns and words of a service come from elsewhere. */
export function harmlessLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ');
}
