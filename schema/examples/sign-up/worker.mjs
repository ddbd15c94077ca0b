// A Cloudflare Worker behind a sign-up form. RCPT_URL is a variable, RCPT_API_KEY a secret (wrangler secret put RCPT_API_KEY).
import { checkAddress } from './check-address.mjs';

export default {
  async fetch(request, env) {
    if (request.method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'POST' } });
    const body = await request.json().catch(() => null);
    const email = body?.email;
    if (typeof email !== 'string' || email.length > 320) return Response.json({ accept: false }, { status: 400 });
    const answer = await checkAddress(email, { url: env.RCPT_URL, apiKey: env.RCPT_API_KEY });
    // Send the confirmation mail here, and queue the address again if answer.askAgainS is not null.
    return Response.json(answer);
  },
};
