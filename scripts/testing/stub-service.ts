import { createServer } from 'node:http';
import * as z from 'zod';
import { resultOf } from '../../schema/client/testing/scripted-service.ts';

const bodySchema = z.object({ emails: z.array(z.string()) });
const formSchema = z.object({ email: z.string() });

type StubService = {
  readonly url: string;
  readonly asked: string[];
  /**
   * The next list is not answered. @returns once it is there, a function that drops its connection, and those of the runtime's
   * own attempts, until what it returns is called
   */
  readonly hold: () => Promise<() => () => void>;
  readonly close: () => void;
};

/** The service as a client meets it: every address is deliverable, line by line, and costs one credit of 100. */
export async function startStubService(): Promise<StubService> {
  const asked: string[] = [];
  let onHeld: ((drop: () => () => void) => void) | null = null;
  let isDown = false;
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      if (request.method === 'GET') {
        response.end('{"credits":100}');
        return;
      }
      if (request.url === '/api/v1/form') {
        asked.push(formSchema.parse(JSON.parse(body)).email);
        response.end('{"verdict":"accept","reason":null,"did_you_mean":null}');
        return;
      }
      if (onHeld !== null) {
        onHeld(() => {
          isDown = true;
          request.socket.destroy();
          return () => (isDown = false);
        });
        onHeld = null;
        return;
      }
      if (isDown) {
        request.socket.destroy();
        return;
      }
      const { emails } = bodySchema.parse(JSON.parse(body));
      asked.push(...emails);
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      for (const [index, email] of emails.entries())
        response.write(`${JSON.stringify({ index, ...resultOf(email) })}\n`);
      response.end(`{"done":true,"charged":${emails.length},"returned":0}\n`);
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const address = server.address();
  return {
    asked,
    hold: () => new Promise((done) => (onHeld = done)),
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    close: () => void server.close(),
  };
}
