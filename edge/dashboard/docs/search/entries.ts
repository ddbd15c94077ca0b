import { REASON_ROWS, REASONS } from '../../../../schema/words/reasons.ts';
import { SANDBOX } from '../../../../schema/words/sandbox.ts';
import type { ApiDocument } from '../source/openapi.ts';

// What a search of the docs looks through: a heading, where it is, and the text below it.

export type Entry = { readonly title: string; readonly href: string; readonly text: string };

/** All that the API's own description, the reasons and the sandbox have to say. Pure. */
export function entriesOf({ description, operations, fields, headers, errors }: ApiDocument): readonly Entry[] {
  return [
    { title: 'Docs', href: '/docs', text: description },
    ...operations.map(({ id, method, path, summary, description: text }) => ({
      title: `${method} ${path}`,
      href: `/docs#call-${id}`,
      text: `${summary}. ${text}`,
    })),
    ...fields.map(({ name, description: text }) => ({ title: name, href: `/docs#field-${name}`, text })),
    ...headers.map(({ name, description: text }) => ({ title: name, href: `/docs#header-${name}`, text })),
    ...REASONS.map((reason) => {
      const { title, meaning, advice } = REASON_ROWS[reason];
      return { title: reason, href: `/docs#reason-${reason}`, text: `${title}. ${meaning} ${advice}` };
    }),
    ...SANDBOX.map(({ address, shows, status }) => ({
      title: address,
      href: '/docs#sandbox',
      text: `Sandbox: ${shows}, ${status}`,
    })),
    ...errors.map(({ status, descriptions }) => ({
      title: `Error ${status}`,
      href: `/docs#error-${status}`,
      text: descriptions.join(' '),
    })),
  ];
}
