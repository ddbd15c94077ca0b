// The docs' script: makes tabs of code in several languages. The choice holds for all pages, and for the next visit.

const KEPT = 'docs-language';

/** Storage may be shut: then the choice holds for the page. */
function kept(language?: string): string | null {
  try {
    if (language !== undefined) localStorage.setItem(KEPT, language);
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}

type Tab = { readonly button: HTMLButtonElement; readonly panel: HTMLElement; readonly language: string };
type Group = readonly Tab[];

function isChosen(group: Group, { language }: Tab, wanted: string | null): boolean {
  const [first] = group;
  return language === (group.some((tab) => tab.language === wanted) ? wanted : first?.language);
}

/** Each group shows the wanted language, or its first where it has not got it. */
function show(groups: readonly Group[], wanted: string | null): void {
  for (const group of groups)
    for (const tab of group) {
      const isShown = isChosen(group, tab, wanted);
      tab.panel.hidden = !isShown;
      tab.button.setAttribute('aria-selected', String(isShown));
      tab.button.tabIndex = isShown ? 0 : -1;
    }
}

function tabOf(panel: HTMLElement, at: number): Tab {
  const language = panel.dataset['language'] ?? '';
  const title = panel.querySelector('.tab-title');
  const button = document.createElement('button');
  button.type = 'button';
  button.id = `tab-${at}`;
  button.textContent = title?.textContent ?? language;
  button.setAttribute('role', 'tab');
  panel.id = `panel-${at}`;
  button.setAttribute('aria-controls', panel.id);
  panel.setAttribute('role', 'tabpanel');
  panel.setAttribute('aria-labelledby', button.id);
  title?.remove();
  return { button, panel, language };
}

/** Groups of tabs, each with its row of buttons above it. */
function makeGroups(): readonly Group[] {
  const groups: Tab[][] = [];
  for (const [at, panel] of document.querySelectorAll<HTMLElement>('.tab').entries()) {
    const isNext = panel.previousElementSibling?.classList.contains('tab') === true;
    const tab = tabOf(panel, at);
    if (isNext) groups.at(-1)?.push(tab);
    else groups.push([tab]);
  }
  for (const group of groups) {
    const row = document.createElement('div');
    row.className = 'tab-row';
    row.setAttribute('role', 'tablist');
    row.setAttribute('aria-label', 'Language');
    row.append(...group.map(({ button }) => button));
    group[0]?.panel.before(row);
  }
  return groups;
}

const groups = makeGroups();
for (const group of groups)
  for (const [at, { button, language }] of group.entries()) {
    const choose = (chosen: string): void => {
      // What is above it may change its height: the tabs stay where they were pressed.
      const before = button.getBoundingClientRect().top;
      kept(chosen);
      show(groups, chosen);
      scrollBy(0, button.getBoundingClientRect().top - before);
    };
    button.addEventListener('click', () => choose(language));
    button.addEventListener('keydown', ({ key }) => {
      const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
      const next = group[(at + step + group.length) % group.length];
      if (step === 0 || next === undefined) return;
      choose(next.language);
      next.button.focus();
    });
  }
show(groups, kept());
