import * as z from 'zod';
import { Browser } from '../../edge/testing/browser.ts';
import type { RunningService } from './running-service.ts';

const mailLineSchema = z.object({ mail: z.object({ to: z.string(), link: z.string() }) });

/** A browser at the pages of a running service, which reads its mails where `npm start -- --json` shows them. */
export function visitorOf(service: RunningService): Browser {
  return new Browser({
    url: new URL(service.ready.url),
    get mails() {
      const lines = service.out().split('\n').slice(1, -1);
      return lines.map((line) => {
        const { to, link } = mailLineSchema.parse(JSON.parse(line)).mail;
        return { to, text: link };
      });
    },
  });
}
