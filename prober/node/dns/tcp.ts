import { connect } from 'node:net';
import type { Random } from '../../engine/ports/ports.ts';
import type { TellError } from '../../base/exhaustion.ts';
import { answerId, encodeQuestion, readAnswer, type Question, type Said } from './message.ts';
import type { ServerAddress } from './udp.ts';

const LENGTH_OCTETS = 2;
const IDS = 65_536;

/**
 * Asks one question over a TCP connection of its own (RFC 7766), which is what a truncated answer asks for.
 * @param heard called at most once
 * @returns what ends the connection
 */
export function askOverTcp(
  { ip, port, onError }: ServerAddress & { readonly onError: TellError },
  question: Question,
  random: Random,
  heard: (said: Said) => void,
): () => void {
  const id = Math.floor(random() * IDS);
  const message = encodeQuestion(question, id);
  const socket = connect({ host: ip, port, noDelay: true });
  let told = false;
  const tell = (said: Said): void => {
    socket.destroy();
    if (!told) heard(said);
    told = true;
  };
  const length = Buffer.alloc(LENGTH_OCTETS);
  length.writeUInt16BE(message.length);
  socket.write(Buffer.concat([length, message]));
  socket.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code !== undefined) onError(code);
    tell({ kind: 'refused' });
  });
  socket.on('close', () => tell({ kind: 'refused' }));
  const received = new LengthPrefixed();
  socket.on('data', (chunk) => {
    const answer = received.take(chunk);
    if (answer === null) return;
    const said = answerId(answer) === id ? readAnswer(answer, question) : null;
    tell(said === null || said.kind === 'truncated' ? { kind: 'refused' } : said);
  });
  return () => {
    told = true;
    socket.destroy();
  };
}

/** Puts one message together, of 64 KiB at most: its length comes first (RFC 1035 §4.2.2). Each octet is copied once. */
class LengthPrefixed {
  readonly #length = Buffer.alloc(LENGTH_OCTETS);
  #message: Buffer | null = null;
  #filled = 0;

  /** @returns the message once it is whole; what comes behind it is dropped */
  take(chunk: Buffer): Buffer | null {
    let rest = chunk;
    if (this.#message === null) {
      const copied = rest.copy(this.#length, this.#filled);
      rest = rest.subarray(copied);
      this.#filled += copied;
      if (this.#filled < LENGTH_OCTETS) return null;
      this.#message = Buffer.alloc(this.#length.readUInt16BE(0));
      this.#filled = 0;
    }
    this.#filled += rest.copy(this.#message, this.#filled);
    return this.#filled < this.#message.length ? null : this.#message;
  }
}
