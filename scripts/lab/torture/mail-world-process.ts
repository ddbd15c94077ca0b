import { startLoopbackMailWorld } from '../../testing/loopback-mail-world.ts';
import { REFUSING, SERVERS, ZONE } from './lists.ts';

// All receivers of a run, in a process of its own, so that it can stand in another network namespace. Its first line on
// standard output is JSON and says where it listens; each line after it is one RCPT TO: `SENDER RECIPIENT`. It ends with its
// standard input. Usage: mail-world-process.ts ANSWERS_AFTER_MS

const { dns, port } = await startLoopbackMailWorld({
  zone: ZONE,
  servers: SERVERS,
  // Sixteen networks of sixteen servers: no limit of a host is reached.
  ipOf: (server) => `127.77.${server >> 4}.${(server & 15) + 1}`,
  refusing: REFUSING,
  answersAfterMs: Number(process.argv[2]),
  onAsked: (sender, email) => process.stdout.write(`${sender} ${email}\n`),
});
process.stdout.write(`${JSON.stringify({ dns, port })}\n`);
process.stdin.on('end', () => process.exit(0)).resume();
