import { footLinks } from '../route/foot-links.ts';
import { features } from '../session/me.ts';

/** Below every view: who runs this service, and where it says more. What the operator has not said is not there. */
export function Foot() {
  const operator = features()?.operator;
  if (operator === undefined) return null;
  return (
    <footer class="foot">
      {operator.name !== null && <p>Run by {operator.name}</p>}
      <nav aria-label="About this service">
        {footLinks(operator).map(({ words, href }) => (
          <a key={words} href={href} rel="noopener">
            {words}
          </a>
        ))}
      </nav>
    </footer>
  );
}
