/** One bit for each place of a list of any length. */
export class Bits {
  #bytes = new Uint8Array(1_024);

  has(place: number): boolean {
    return ((this.#bytes[place >>> 3] ?? 0) & (1 << (place & 7))) !== 0;
  }

  add(place: number): void {
    const at = place >>> 3;
    if (at >= this.#bytes.length) {
      const larger = new Uint8Array(Math.max(at + 1, this.#bytes.length * 2));
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes[at] = (this.#bytes[at] ?? 0) | (1 << (place & 7));
  }
}
