// A package that ships no types.

declare module 'damerau-levenshtein' {
  /** Optimal string alignment distance; `limit` is the size of its matrix and only for callers that know it. */
  export default function distance(one: string, other: string): { readonly steps: number };
}
