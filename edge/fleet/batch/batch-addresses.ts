import * as z from 'zod';
import { parseJson } from '../../../schema/parse-json.ts';
import type { BatchIndex } from '../../base/indexes.ts';

const addressSchema = z.tuple([z.string(), z.string()]);

const utf8 = { encode: new TextEncoder(), decode: new TextDecoder() };

/** The addresses of one batch as bytes: an object has hundreds of batches, and looks at their addresses a few times. */
export class BatchAddresses {
  /** Of each address its JSON, UTF-8, one after the other. */
  readonly #bytes: Uint8Array;
  /** Where each ends. */
  readonly #ends: Uint32Array;

  constructor(addresses: ReadonlyArray<readonly [string, string]>) {
    const texts = addresses.map((address) => utf8.encode.encode(JSON.stringify(address)));
    let end = 0;
    this.#ends = Uint32Array.from(texts, ({ length }) => (end += length));
    this.#bytes = new Uint8Array(end);
    for (const [n, text] of texts.entries()) this.#bytes.set(text, this.#beginOf(n));
  }

  /** Local part and domain of one of them. */
  at(index: BatchIndex): readonly [local: string, domain: string] {
    return addressSchema.parse(parseJson(this.#text(index)));
  }

  /** The text of a job that is signed. */
  payload(indexes: readonly BatchIndex[]): string {
    return `{"addresses":[${indexes.map((index) => this.#text(index)).join(',')}]}`;
  }

  #beginOf(n: number): number {
    return this.#ends[n - 1] ?? 0;
  }

  #text(n: number): string {
    return utf8.decode.decode(this.#bytes.subarray(this.#beginOf(n), this.#ends[n]));
  }
}
