/** The code page of MS-DOS in Western Europe, from its first byte beyond ASCII: Excel and older programs still write it. */
const IBM850 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00AD±‗¾¶§÷¸°¨·¹³²■\u00A0';

export type Decoder = Pick<TextDecoder, 'decode' | 'encoding'>;

/** The runtime's own, or one that it does not have. @throws RangeError for an unknown encoding */
export function decoderOf(label: string, options: TextDecoderOptions = {}): Decoder {
  if (/^(?:ibm|cp)-?850$/i.test(label.trim())) return { encoding: 'ibm850', decode: decodeIbm850 };
  return new TextDecoder(label, options);
}

function decodeIbm850(bytes: ArrayBufferLike | ArrayBufferView = new Uint8Array()): string {
  const view = ArrayBuffer.isView(bytes)
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : new Uint8Array(bytes);
  let text = '';
  for (const byte of view) text += byte < 128 ? String.fromCharCode(byte) : (IBM850[byte - 128] ?? '');
  return text;
}
