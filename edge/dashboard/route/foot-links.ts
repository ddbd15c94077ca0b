import type { Operator } from '../../../schema/pages-api.ts';

/** What the foot of every page links to: the docs, and what the operator has said. Pure. */
export function footLinks(operator: Operator): ReadonlyArray<{ readonly words: string; readonly href: string }> {
  const { privacyUrl, termsUrl, statusUrl, contactEmail } = operator;
  return [
    { words: 'Docs', href: '/docs' },
    { words: 'Privacy', href: privacyUrl },
    { words: 'Terms', href: termsUrl },
    { words: 'Status', href: statusUrl },
    { words: 'Contact', href: contactEmail === null ? null : `mailto:${contactEmail}` },
  ].flatMap(({ words, href }) => (href === null ? [] : [{ words, href }]));
}
