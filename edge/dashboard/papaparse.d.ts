// What is used of papaparse. Its own types bring Node's along, which a browser does not have.
declare module 'papaparse' {
  export type ParseMeta = { readonly delimiter: string; readonly linebreak: string; readonly cursor: number };
  export type ParseResult = { readonly data: string[][]; readonly meta: ParseMeta };
  type Settings = {
    readonly skipEmptyLines?: boolean;
    readonly delimiter?: string;
    readonly newline?: string;
    readonly preview?: number;
  };
  type Papa = {
    parse(text: string, settings: Settings): ParseResult;
    unparse(
      rows: ReadonlyArray<readonly string[]>,
      settings: { readonly delimiter: string; readonly newline: string; readonly escapeFormulae: RegExp },
    ): string;
    readonly Parser: new (settings: Settings) => {
      /** Reads what is whole; `ignoreLastRow` leaves the last row, which may go on. `meta.cursor` is where it stopped. */
      parse(text: string, baseIndex: number, ignoreLastRow: boolean): ParseResult;
    };
  };
  const papa: Papa;
  export default papa;
}
