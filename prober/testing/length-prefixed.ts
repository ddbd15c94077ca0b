/** Messages of a TCP connection to a name server, each after its length (RFC 1035 §4.2.2). */
export class LengthPrefixed {
  #unread: Buffer = Buffer.alloc(0);

  static frame(message: Uint8Array): Buffer {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(message.length);
    return Buffer.concat([length, message]);
  }

  /** @returns the messages that are complete by now */
  take(chunk: Buffer): readonly Buffer[] {
    const whole: Buffer[] = [];
    this.#unread = Buffer.concat([this.#unread, chunk]);
    while (this.#unread.length >= 2 && this.#unread.length >= 2 + this.#unread.readUInt16BE(0)) {
      const end = 2 + this.#unread.readUInt16BE(0);
      whole.push(this.#unread.subarray(2, end));
      this.#unread = this.#unread.subarray(end);
    }
    return whole;
  }
}
