// Packages that ship no types.

declare module 'role-based-email-addresses' {
  const roles: readonly string[];
  export default roles;
}

declare module 'damerau-levenshtein' {
  /** Optimal string alignment distance; `limit` is the size of its matrix and only for callers that know it. */
  export default function distance(one: string, other: string): { readonly steps: number };
}
