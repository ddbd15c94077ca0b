export { Fleet } from './fleet/fleet.ts';
export { Limiter } from './limiter/limiter.ts';

export default {
  fetch(): Response {
    return new Response('{"error":"Not found."}', { status: 404, headers: { 'content-type': 'application/json' } });
  },
};
