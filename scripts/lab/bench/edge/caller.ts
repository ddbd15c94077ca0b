import { Agent, request } from 'node:http';

/** One request to repeat; `lane` is which of the parallel callers sends it. */
export type Shot = {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly headers: (lane: number) => Readonly<Record<string, string>>;
  readonly path: (lane: number) => string;
  readonly body: string | null;
  /** Anything else than this status is a bench that measures something else. */
  readonly status: number;
};

const ANSWERED_WITHIN_MS = 20_000;

/** Callers on connections that stay open, each with one request at a time. */
export class Callers {
  readonly #agent: Agent;
  readonly #parallel: number;

  constructor(parallel: number) {
    this.#parallel = parallel;
    this.#agent = new Agent({ keepAlive: true, maxSockets: parallel, scheduling: 'lifo' });
  }

  /** Sends `count` requests and returns how long each took, in milliseconds. */
  async run(shot: Shot, count: number): Promise<readonly number[]> {
    const times: number[] = [];
    let sent = 0;
    const lane = async (number: number): Promise<void> => {
      while (sent < count) {
        sent += 1;
        times.push(await this.#send(shot, number));
      }
    };
    await Promise.all(Array.from({ length: this.#parallel }, (_, number) => lane(number)));
    return times;
  }

  close(): void {
    this.#agent.destroy();
  }

  #send({ url, method, headers, path, body, status }: Shot, lane: number): Promise<number> {
    return new Promise((resolve, reject) => {
      const startedAt = performance.now();
      const length = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      const outgoing = request(
        {
          agent: this.#agent,
          host: url.hostname,
          port: url.port,
          method,
          path: path(lane),
          headers: { ...headers(lane), ...length },
        },
        (answer) => {
          answer.resume();
          answer.once('end', () => {
            if (answer.statusCode === status) resolve(performance.now() - startedAt);
            else reject(new Error(`Status ${answer.statusCode} instead of ${status} from ${url.href}${path(lane)}`));
          });
        },
      );
      outgoing.once('error', reject);
      outgoing.setTimeout(ANSWERED_WITHIN_MS, () =>
        outgoing.destroy(new Error(`No answer from ${url.href}${path(lane)}`)),
      );
      outgoing.end(body ?? undefined);
    });
  }
}
