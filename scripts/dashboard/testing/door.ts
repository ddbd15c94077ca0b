import { setTimeout } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import * as z from 'zod';
import type { RunningService } from '../../testing/running-service.ts';

// The service as `npm start` runs it, seen from outside by people with a browser and a mailbox.

const MAIL = z.object({ mail: z.object({ to: z.string(), link: z.string().nullable() }) });
const LOOKS = 100;
const LOOK_EVERY_MS = 50;

export type Door = {
  readonly service: RunningService;
  readonly browser: Browser;
  /** Of the pages: on localhost, on which passkeys work. */
  readonly url: string;
};

/** The links that were mailed to an address so far, as paths of the pages, in their order. */
export function mailedLinks({ service }: Pick<Door, 'service'>, to: string): readonly string[] {
  return service
    .out()
    .split('\n')
    .filter((line) => line.startsWith('{"mail"'))
    .map((line) => MAIL.parse(JSON.parse(line)).mail)
    .flatMap((mail) => {
      if (mail.to !== to || mail.link === null) return [];
      const { pathname, hash } = new URL(mail.link);
      return [`${pathname}${hash}`];
    });
}

/** The link that is mailed after the first `before` of them. */
export async function nextLink(door: Pick<Door, 'service'>, to: string, before: number): Promise<string> {
  for (let look = 0; look < LOOKS; look += 1) {
    const link = mailedLinks(door, to)[before];
    if (link !== undefined) return link;
    await setTimeout(LOOK_EVERY_MS);
  }
  throw new Error(`No mail went to ${to}.`);
}

/** Signs in by a link that is asked for. */
export async function signIn(page: Page, door: Door, email: string): Promise<void> {
  const before = mailedLinks(door, email).length;
  await page.goto(`${door.url}/`);
  await page.getByLabel('Your email address').fill(email);
  await page.getByRole('button', { name: 'Send me a link' }).click();
  await page.getByText('Check your inbox').waitFor();
  await page.goto(`${door.url}${await nextLink(door, email, before)}`);
  await page.getByText(email).waitFor();
  expect(new URL(page.url()).hash).toBe('');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Verify' }).waitFor();
}
