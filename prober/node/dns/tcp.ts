import { connect } from 'node:net';
import type { Random } from '../../engine/ports/ports.ts';
import { answerId, encodeQuestion, MESSAGE_OCTETS_MAX, readAnswer, type Question, type Said } from './message.ts';
import type { ServerAddress } from './udp.ts';

const LENGTH_OCTETS = 2;
const IDS = 65_536;

/**
 * Asks one question over a TCP connection of its own (RFC 7766), which is what a truncated answer asks for.
 * @param heard called at most once
 * @returns what ends the connection
 */
export function askOverTcp(
  { ip, port }: ServerAddress,
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
  socket.on('error', () => tell({ kind: 'refused' }));
  socket.on('close', () => tell({ kind: 'refused' }));
  let received: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    if (received.length < LENGTH_OCTETS) return;
    const octets = received.readUInt16BE(0);
    if (octets > MESSAGE_OCTETS_MAX) return tell({ kind: 'refused' });
    if (received.length < LENGTH_OCTETS + octets) return;
    const answer = received.subarray(LENGTH_OCTETS, LENGTH_OCTETS + octets);
    const said = answerId(answer) === id ? readAnswer(answer, question) : null;
    tell(said === null || said.kind === 'truncated' ? { kind: 'refused' } : said);
  });
  return () => {
    told = true;
    socket.destroy();
  };
}
