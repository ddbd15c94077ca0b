import { decoderOf } from '../reading/decoder.ts';

type Bytes = readonly number[];
const tables = new Map<string, ReadonlyMap<string, Bytes>>();

/** Text as bytes in an encoding of before Unicode, of which a runtime can only read. */
export function encode(text: string, label: string): Uint8Array<ArrayBuffer> {
  const known = tables.get(label) ?? tableOf(label);
  tables.set(label, known);
  return Uint8Array.from(
    Array.from(text).flatMap((char) => {
      const bytes = known.get(char);
      if (bytes === undefined) throw new Error(`${label} has no ${char}.`);
      return bytes;
    }),
  );
}

function tableOf(label: string): ReadonlyMap<string, Bytes> {
  const decoder = decoderOf(label, { fatal: true });
  const known = new Map<string, Bytes>();
  const learn = (bytes: Bytes): void => {
    try {
      const char = decoder.decode(Uint8Array.from(bytes));
      if (Array.from(char).length === 1 && !known.has(char)) known.set(char, bytes);
    } catch {
      // No character.
    }
  };
  for (let byte = 0; byte < 256; byte += 1) learn([byte]);
  for (let lead = 0x81; lead < 255; lead += 1) for (let trail = 0x40; trail < 255; trail += 1) learn([lead, trail]);
  return known;
}
