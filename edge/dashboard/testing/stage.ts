import type { BrowserContextOptions } from 'playwright-core';
import { afterEach } from 'vitest';
import { builtPages, theBrowser, type Visit, visitor } from './browser.ts';
import { startStub, type Stub } from './stub-service.ts';

export type Stage = {
  /** The service of one test, as it is at first. */
  readonly stub: Stub;
  /** A visitor with an empty browser, closed when the test ends. */
  readonly visit: (options?: BrowserContextOptions) => Promise<Visit>;
  /** Of the built pages. */
  readonly folder: string;
};

/** The browser, and a service for each test. Call it inside `describe`. */
export function useStage(): () => Promise<Stage> {
  let leave: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const step of leave.toReversed()) await step();
    leave = [];
  });
  return async () => {
    const browser = await theBrowser();
    const pages = builtPages();
    const stub = await startStub(pages);
    leave.push(stub.close);
    const visit = async (options: BrowserContextOptions = {}): Promise<Visit> => {
      const made = await visitor(browser, stub.url, options);
      leave.push(made.close);
      return made;
    };
    return { stub, visit, folder: pages };
  };
}
