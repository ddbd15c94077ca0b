import { createSocket } from 'node:dgram';

// The name server of the look-up bench, in a process of its own, byte by byte: each name has one MX host, one A and no
// AAAA record, and every answer comes after the same time.
//
// Usage: node name-server.ts DELAY_MS. Prints "ready PORT" and runs until its standard input ends; then prints
// NameServerFigures as JSON.

export type NameServerFigures = {
  readonly asked: number;
  /** Most questions that were unanswered at one moment. */
  readonly waitingMax: number;
};

const BUFFER_OCTETS = 4_194_304;
const TYPE_A = 1;
const TYPE_MX = 15;
/** Preference 10, then the label "mx" before the name that was asked for. */
const MX_DATA = Buffer.from([0, 10, 2, 0x6d, 0x78, 0xc0, 12]);
const A_DATA = Buffer.from([127, 0, 0, 1]);

const delayMs = Number(process.argv[2]);
let asked = 0;
let waiting = 0;
let waitingMax = 0;
const socket = createSocket({ type: 'udp4', recvBufferSize: BUFFER_OCTETS, sendBufferSize: BUFFER_OCTETS });

socket.on('message', (question, { port, address }) => {
  asked += 1;
  waiting += 1;
  waitingMax = Math.max(waitingMax, waiting);
  const answer = (): void => {
    waiting -= 1;
    socket.send(answerTo(question), port, address);
  };
  if (delayMs === 0) answer();
  else setTimeout(answer, delayMs);
});

function answerTo(message: Buffer): Buffer {
  let at = 12;
  while (message.readUInt8(at) !== 0) at += message.readUInt8(at) + 1;
  const type = message.readUInt16BE(at + 1);
  const data = type === TYPE_MX ? MX_DATA : type === TYPE_A ? A_DATA : null;
  const head = Buffer.from(message.subarray(0, at + 5));
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(data === null ? 0 : 1, 6);
  head.writeUInt32BE(0, 8);
  if (data === null) return head;
  const record = Buffer.alloc(12);
  record.writeUInt16BE(0xc00c, 0);
  record.writeUInt16BE(type, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt32BE(60, 6);
  record.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, record, data]);
}

socket.bind(0, '127.0.0.1', () => process.stdout.write(`ready ${socket.address().port}\n`));
process.stdin.resume();
process.stdin.on('end', () => {
  const figures: NameServerFigures = { asked, waitingMax };
  process.stdout.write(`${JSON.stringify(figures)}\n`, () => process.exit(0));
});
