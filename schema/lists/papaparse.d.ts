// What is used of papaparse. Its own types bring Node's along, which a browser does not have.
declare module 'papaparse' {
  type ParseError = { readonly code: string; readonly index?: number };
  type ParseResult = {
    readonly data: string[][];
    readonly errors: readonly ParseError[];
    readonly meta: { readonly cursor: number };
  };
  type Papa = {
    readonly Parser: new (settings: { readonly delimiter: string; readonly newline: string }) => {
      /** Reads what is whole; `ignoreLastRow` leaves the last row, which may go on. `meta.cursor` is where it stopped. */
      parse(text: string, baseIndex: number, ignoreLastRow: boolean): ParseResult;
    };
    readonly parse: (
      text: string,
      settings: { readonly delimiter: string; readonly preview: number; readonly skipEmptyLines: true },
    ) => ParseResult;
  };
  const papa: Papa;
  export default papa;
}
