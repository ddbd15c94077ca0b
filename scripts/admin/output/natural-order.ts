const NATURAL = new Intl.Collator('en', { numeric: true });

/** fra-2 before fra-10. */
export function byName(a: { readonly id: string }, b: { readonly id: string }): number {
  return NATURAL.compare(a.id, b.id);
}
