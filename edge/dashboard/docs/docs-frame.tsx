import { type ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { DOCS, type DocName } from '../route/paths.ts';
import { SearchBox } from './search/search-box.tsx';

type Entry = readonly [href: string, words: string];
type Part = { readonly title: string; readonly entries: readonly Entry[] };

const doc = (name: DocName): Entry => [`/docs/${name}`, DOCS[name]];

const CONTENTS: readonly Part[] = [
  { title: 'Start', entries: [['/docs#first-call', 'First call'], ['/docs#try-it', 'Try it'], doc('sign-up-form')] },
  {
    title: 'Languages',
    entries: [doc('curl'), doc('typescript'), doc('python'), doc('go'), doc('php'), doc('ruby'), doc('java')],
  },
  {
    title: 'Reference',
    entries: [
      ['/docs#calls', 'Calls'],
      ['/docs#fields', 'Fields of a result'],
      ['/docs#reasons', 'Reasons'],
      ['/docs#limits', 'Limits'],
      ['/docs#sandbox', 'Sandbox'],
      ['/docs#errors', 'Errors'],
    ],
  },
];

/** Whether there is room for the contents beside the text: as wide as the style sheet says. */
const isWide = (): boolean => matchMedia('(width >= 60rem)').matches;

type Props = {
  /** The path of this page, which is marked in the contents. */
  readonly here: string;
  readonly children: ComponentChildren;
};

/** Around each page of the docs: what there is, and a search through all of it. */
export function DocsFrame({ here, children }: Props) {
  return (
    <div class="docs-frame">
      <aside>
        <SearchBox />
        <details class="contents" open={isWide()}>
          <summary>Contents</summary>
          <nav aria-label="Docs">
            {CONTENTS.map(({ title, entries }) => (
              <section key={title}>
                <h2>{title}</h2>
                <ul>
                  {entries.map(([href, words]) => (
                    <li key={href}>
                      <a href={href} aria-current={href === here ? 'page' : undefined}>
                        {words}
                      </a>
                    </li>
                  ))}
                </ul>
              </section>
            ))}
            <a href="/api/v1/openapi.json" target="_blank" rel="noopener">
              openapi.json
            </a>
          </nav>
        </details>
      </aside>
      <div class="docs">{children}</div>
    </div>
  );
}

/** Goes where the address points, once that is there. */
export function useAnchor(): void {
  useEffect(() => {
    if (location.hash !== '') document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, []);
}
