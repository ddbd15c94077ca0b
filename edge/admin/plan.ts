import { createRouter } from '../base/router.ts';
import type { Run } from '../base/route-input.ts';
import type { Done, Services } from './operation.ts';
import { ADMIN_ROOT, isPolled, ROUTES } from './routes.ts';

const find = createRouter(ROUTES, `There is nothing at this path of ${ADMIN_ROOT}.`);

export type Plan = {
  /**
   * With ids of known shape, or their names if there is no such path or its ids are malformed. Null: the call leaves no
   * row.
   */
  readonly auditPath: string | null;
  /** The operation or the refusal, for when the row is open and the request is the signed one. */
  readonly run: Run<Services, Done>;
};

/** What a call means. A refusal waits its turn: first the row is open and the token matches the request. */
export function planOf(method: string, url: URL): Plan {
  const found = find(method, url.pathname);
  switch (found.kind) {
    case 'no_path':
      return refuse('(unknown path)', found.refusal);
    case 'other_methods':
      return refuse(found.route.path, found.refusal);
    case 'route':
      try {
        const run = found.route.prepare({ ...Object.fromEntries(url.searchParams), ...found.params });
        return { auditPath: isPolled(found.route) ? null : url.pathname, run };
      } catch (error) {
        return refuse(found.route.path, error);
      }
  }
}

function refuse(auditPath: string, why: unknown): Plan {
  return {
    auditPath,
    run: async () => {
      throw why;
    },
  };
}
