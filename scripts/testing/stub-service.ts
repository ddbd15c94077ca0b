import { createServer } from 'node:http';
import * as z from 'zod';
import { resultOf } from '../../schema/client/testing/scripted-service.ts';

const bodySchema = z.object({ emails: z.array(z.string()) });

/** The service as a client meets it: every address is deliverable, line by line, and costs one credit. */
export async function startStubService(): Promise<{ readonly url: string; readonly close: () => void }> {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      const { emails } = bodySchema.parse(JSON.parse(body));
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      for (const [index, email] of emails.entries())
        response.write(`${JSON.stringify({ index, ...resultOf(email) })}\n`);
      response.end(`{"done":true,"charged":${emails.length},"returned":0}\n`);
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    close: () => void server.close(),
  };
}
