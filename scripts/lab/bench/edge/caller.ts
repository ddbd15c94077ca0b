import { Agent, request } from 'node:http';

/** One call to repeat; `lane` is which of the parallel callers makes it. */
export type Shot = {
  readonly url: URL;
  readonly headers: (lane: number) => Readonly<Record<string, string>>;
  readonly path: (lane: number) => string;
  readonly body: string;
};

const ANSWERED_WITHIN_MS = 20_000;

/** Posts `count` times over connections that stay open, each with one call at a time. @returns how long each took, in milliseconds */
export async function repeat(shot: Shot, agent: Agent, count: number): Promise<readonly number[]> {
  const times: number[] = [];
  let sent = 0;
  const lane = async (number: number): Promise<void> => {
    while (sent < count) {
      sent += 1;
      times.push(await send(shot, agent, number));
    }
  };
  await Promise.all(Array.from({ length: agent.maxSockets }, (_, number) => lane(number)));
  return times;
}

/** Connections of this many callers. */
export const connections = (parallel: number): Agent =>
  new Agent({ keepAlive: true, maxSockets: parallel, scheduling: 'lifo' });

function send({ url, headers, path, body }: Shot, agent: Agent, lane: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const length = { 'content-length': String(Buffer.byteLength(body)) };
    const { hostname: host, port } = url;
    const outgoing = request(
      { agent, host, port, method: 'POST', path: path(lane), headers: { ...headers(lane), ...length } },
      (answer) => {
        answer.resume();
        answer.once('end', () => {
          if (answer.statusCode === 200) resolve(performance.now() - startedAt);
          else reject(new Error(`Status ${answer.statusCode} from ${url.href}${path(lane)}`));
        });
      },
    );
    outgoing.once('error', reject);
    outgoing.setTimeout(ANSWERED_WITHIN_MS, () => outgoing.destroy(new Error(`No answer from ${url.href}`)));
    outgoing.end(body);
  });
}
