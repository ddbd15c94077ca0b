import { Rcpt, RcptError } from '../../schema/client/index.ts';

// A Worker that verifies a list with the client, for client-worker.edge.test.ts.

// The local edge binds them, and this Worker has no use for them.
export { Alarms, Fleet, Limiter } from '../../edge/index.ts';

type Env = { readonly SERVICE: string };

export default {
  async fetch(request: Request, { SERVICE }: Env): Promise<Response> {
    const count = Number(new URL(request.url).searchParams.get('count'));
    const rows = Array.from({ length: count }, (_, row) => ({ email: `user${row}@d${row % 9}.test`, row }));
    const run = new Rcpt({ apiKey: 'svc_live_x', baseURL: SERVICE, maxRetries: 0 }).verifyAll(rows);
    let [valid, rowSum] = [0, 0];
    try {
      for await (const { input, result } of run) {
        if (result.status === 'valid') valid += 1;
        rowSum += input.row;
      }
    } catch (error) {
      return Response.json({ code: error instanceof RcptError ? error.code : String(error) });
    }
    return Response.json({ valid, rowSum, charged: run.tally.charged });
  },
};
