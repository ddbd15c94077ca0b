import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { buildPages, startBrowser, type Visit, visitor } from './browser.ts';
import { startStub, type Stub } from './stub-service.ts';

export type Stage = {
  /** The service of one test, as it is at first. */
  readonly stub: Stub;
  /** Somebody who comes with an empty browser; goes when the test ends. */
  readonly visit: (options?: BrowserContextOptions) => Promise<Visit>;
  /** Of the built pages. */
  readonly folder: string;
};

/** A browser for the tests of one file, and a service for each of them. Call it inside `describe`. */
export function useStage(): () => Promise<Stage> {
  let browser: Browser | undefined;
  let pages: Awaited<ReturnType<typeof buildPages>> | undefined;
  let leave: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    [browser, pages] = await Promise.all([startBrowser(), buildPages()]);
  });
  afterEach(async () => {
    for (const step of leave.toReversed()) await step();
    leave = [];
  });
  afterAll(async () => {
    await browser?.close();
    await pages?.remove();
  });
  return async () => {
    if (browser === undefined || pages === undefined) throw new Error('The browser is not there yet.');
    const at = browser;
    const stub = await startStub(pages.folder);
    leave.push(stub.close);
    const visit = async (options: BrowserContextOptions = {}): Promise<Visit> => {
      const made = await visitor(at, stub.url, options);
      leave.push(made.close);
      return made;
    };
    return { stub, visit, folder: pages.folder };
  };
}
