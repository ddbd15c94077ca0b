import { features } from '../session/me.ts';

/** Below every view: who runs this service, and where it says more. What the operator has not said is not there. */
export function Foot() {
  const operator = features()?.operator;
  if (operator === undefined) return null;
  const { name, privacyUrl, termsUrl, statusUrl, contactEmail } = operator;
  const links = [
    { words: 'Privacy', href: privacyUrl },
    { words: 'Terms', href: termsUrl },
    { words: 'Status', href: statusUrl },
    { words: 'Contact', href: contactEmail === null ? null : `mailto:${contactEmail}` },
  ].flatMap(({ words, href }) => (href === null ? [] : [{ words, href }]));
  if (name === null && links.length === 0) return null;
  return (
    <footer class="foot">
      {name !== null && <p>Run by {name}</p>}
      {links.length > 0 && (
        <nav aria-label="About this service">
          {links.map(({ words, href }) => (
            <a key={words} href={href} rel="noopener">
              {words}
            </a>
          ))}
        </nav>
      )}
    </footer>
  );
}
