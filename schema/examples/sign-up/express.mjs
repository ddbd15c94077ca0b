// The same as a route of Express: app.post('/sign-up/email', express.json({ limit: '2kb' }), emailRoute(process.env))
import { checkAddress } from './check-address.mjs';

export function emailRoute({ RCPT_URL, RCPT_API_KEY }) {
  return async (request, response) => {
    const email = request.body?.email;
    if (typeof email !== 'string' || email.length > 320) return response.status(400).json({ accept: false });
    const answer = await checkAddress(email, { url: RCPT_URL, apiKey: RCPT_API_KEY });
    // Send the confirmation mail here, and queue the address again if answer.askAgainS is not null.
    return response.json(answer);
  };
}
