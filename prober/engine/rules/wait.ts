export function askedWaitS(_text: string): number | null {
  return null;
}
