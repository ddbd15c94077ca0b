import type { Page } from 'playwright-core';

/** The reader chooses a file for the page's first place for one. */
export async function giveFile(page: Page, content: string | Uint8Array, name = 'list.csv'): Promise<void> {
  const file = { name, mimeType: '', buffer: Buffer.from(content) };
  await page.locator('input[type=file]').first().setInputFiles(file);
}

/** The reader has a list verified. */
export async function verifyFile(page: Page, content: string): Promise<void> {
  await page.goto('/lists');
  await giveFile(page, content);
  await page.getByRole('button', { name: /^Verify / }).click();
}

export const isDone = (page: Page): Promise<void> => page.getByText('Every address has a result.').waitFor();
