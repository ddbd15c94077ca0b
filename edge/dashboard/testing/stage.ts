import type { BrowserContextOptions } from 'playwright-core';
import { afterEach } from 'vitest';
import { builtPages, theBrowser, type Visit, visitor } from './browser.ts';
import { startStub, type Stub } from './stub-service.ts';

export type Stage = Pick<Visit, 'page' | 'complaints'> & {
  /** The service of one test, as it is at first. */
  readonly stub: Stub;
};
type Options = BrowserContextOptions & {
  /** The path that is opened at once, of the service as it is at first; absent: none. */
  readonly at?: string;
};

/** A service and an empty browser for each test, closed when it ends. Call it inside `describe`. */
export function useStage(): (options?: Options) => Promise<Stage> {
  let leave: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const step of leave.toReversed()) await step();
    leave = [];
  });
  return async ({ at, ...options } = {}) => {
    const stub = await startStub(builtPages());
    leave.push(stub.close);
    const { page, complaints, close } = await visitor(await theBrowser(), stub.url, options);
    leave.push(close);
    if (at !== undefined) await page.goto(at);
    return { stub, page, complaints };
  };
}
