import { Resolver } from 'node:dns/promises';
import net from 'node:net';
import { readLoad, report, type Load } from './load.ts';

// The floor of the engine's CPU bench: the same two look-ups and the same bytes written over node:net, and nothing else: no parser beyond counting final reply lines, no timeouts, no evidence.

const load = readLoad(process.argv[2]);
const resolver = new Resolver();
resolver.setServers([`${load.ip}:${load.dnsPort}`]);

/** With more questions on the wire than a socket's buffer holds answers are lost, and it would ask in vain. */
const LOOK_UPS_AT_ONCE = 100;
let lookUps = 0;
const waiting: (() => void)[] = [];

async function lookUp(domain: string): Promise<string> {
  if (lookUps === LOOK_UPS_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  else lookUps += 1;
  try {
    const [mx] = await resolver.resolveMx(domain);
    const host = mx?.exchange ?? '';
    const [ip] = await resolver.resolve4(host);
    return ip ?? '';
  } finally {
    const next = waiting.shift();
    if (next === undefined) lookUps -= 1;
    else next();
  }
}

async function converse(domain: string): Promise<void> {
  const ip = await lookUp(domain);
  const steps = [
    'EHLO probe.bench.test\r\n',
    `MAIL FROM:<probe@bench.test>\r\nRCPT TO:<u1@${domain}>\r\n`,
    `RCPT TO:<abcdefghijklmnopqrst@${domain}>\r\n`,
    'QUIT\r\n',
  ];
  const awaited = [1, 1, 2, 1];
  await dialogue(ip, load, steps, awaited);
}

function dialogue(ip: string, { smtpPort }: Load, steps: readonly string[], awaited: readonly number[]): Promise<void> {
  return new Promise((resolve) => {
    const socket = net.connect({ host: ip, port: smtpPort, noDelay: true });
    let step = 0;
    let replies = 0;
    socket.on('error', () => resolve());
    socket.on('data', (chunk) => {
      for (const line of chunk.toString('latin1').split('\r\n')) if (line.charAt(3) === ' ') replies++;
      if (step === steps.length || replies < (awaited[step] ?? 1)) return;
      replies = 0;
      socket.write(steps[step++] ?? '');
      if (step === steps.length) {
        socket.end();
        resolve();
      }
    });
  });
}

async function run(domains: number, count: (outcome: string) => void): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < domains) {
      await converse(`d${next++}.test`);
      count('done');
    }
  };
  await Promise.all(Array.from({ length: load.concurrency }, lane));
}

await run(load.warmUpDomains, () => {});
await report((count) => run(load.domains, count));
