import type { BatchIndex } from '../../base/indexes.ts';
import { type JobPayload, jobPayloadSchema } from '../../../schema/link.ts';
import { parseJson } from '../../../schema/parse-json.ts';

const utf8 = { encode: new TextEncoder(), decode: new TextDecoder() };

/** The addresses of one batch as bytes: an object has hundreds of batches, and looks at their addresses twice. */
export class BatchAddresses {
  /** JSON, UTF-8. */
  readonly #bytes: Uint8Array;
  readonly #count: number;

  constructor(addresses: ReadonlyArray<readonly [string, string]>) {
    this.#bytes = utf8.encode.encode(JSON.stringify(addresses));
    this.#count = addresses.length;
  }

  isSame(addresses: ReadonlyArray<readonly [string, string]>): boolean {
    return JSON.stringify(addresses) === this.#text();
  }

  /** The text of a job that is signed, to the last character the same whenever the same addresses are asked for. */
  payload(indexes: readonly BatchIndex[]): string {
    const payload = `{"addresses":${this.#text()}}`;
    if (indexes.length === this.#count) return payload;
    const { addresses } = jobPayloadSchema.parse(parseJson(payload));
    return JSON.stringify({ addresses: indexes.flatMap((i) => addresses.slice(i, i + 1)) } satisfies JobPayload);
  }

  #text(): string {
    return utf8.decode.decode(this.#bytes);
  }
}
