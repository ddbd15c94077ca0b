/** An object's storage that a test can look into. */
export class MapStore {
  readonly rows = new Map<string, unknown>();
  list<T>(options?: { readonly prefix?: string }): Iterable<[string, T]>;
  list(options: { readonly prefix?: string } = {}): Iterable<[string, unknown]> {
    return [...this.rows].filter(([key]) => key.startsWith(options.prefix ?? ''));
  }
  get(key: string): unknown {
    return this.rows.get(key);
  }
  put(key: string, value: unknown): void {
    this.rows.set(key, value);
  }
  delete(key: string): boolean {
    return this.rows.delete(key);
  }
}
