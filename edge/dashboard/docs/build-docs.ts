import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import MarkdownIt from 'markdown-it';
import { SANDBOX } from '../../../schema/words/sandbox.ts';

// The docs are static pages, made of what stands in the repository for its readers too. Their one script makes tabs of
// code in several languages, which without it stands one below the other.

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The languages that have a program in schema/examples: its folder, title, command and file. */
const LANGUAGES = [
  { name: 'curl', title: 'curl', command: 'bash', file: 'verify.sh' },
  { name: 'python', title: 'Python', command: 'python3', file: 'verify.py' },
  { name: 'go', title: 'Go', command: 'go run', file: 'verify.go' },
  { name: 'php', title: 'PHP', command: 'php', file: 'verify.php' },
  { name: 'ruby', title: 'Ruby', command: 'ruby', file: 'verify.rb' },
  { name: 'java', title: 'Java', command: 'java', file: 'Verify.java' },
] as const;

/** What a fence of code is in that is a tab; fences that follow each other are tabs of one group. */
const TABS: ReadonlyMap<string, string> = new Map([
  ...LANGUAGES.map(({ name, title }) => [name, title] as const),
  ['node', 'Node'],
]);

const COMMAND = 'scripts/rcpt/README.md';

type Doc = { readonly path: string; readonly title: string; readonly text: () => Promise<string> };

const DOCS: readonly Doc[] = [
  {
    path: '/docs',
    title: 'API',
    text: async () => (await read('schema/API.md')).replace('## Errors', `${sandbox()}\n## Errors`),
  },
  { path: '/docs/sign-up-form', title: 'In a sign-up form', text: signUpForm },
  { path: '/docs/examples', title: 'Programs to copy', text: examples },
  { path: '/docs/client', title: 'TypeScript client', text: () => read('schema/client/README.md') },
  {
    path: '/docs/command',
    title: 'Command',
    text: async () => without(await read(COMMAND), ['For assistants', 'Files']),
  },
  { path: '/docs/mcp', title: 'MCP server', text: mcp },
  { path: '/docs/accuracy', title: 'Accuracy', text: () => read('prober/ACCURACY.md') },
  { path: '/docs/testing', title: 'In your tests', text: () => read('scripts/testing-package/README.md') },
];

/** What a link of these texts leads to here; an address of the repository that no reader of the docs has is no link. */
const LINKS: Readonly<Record<string, string>> = {
  'SIGN-UP-FORM.md': '/docs/sign-up-form',
  '../SIGN-UP-FORM.md': '/docs/sign-up-form',
  'client/README.md': '/docs/client',
  'examples/README.md': '/docs/examples',
  'examples/curl/verify.sh': '/docs/examples',
  '../scripts/rcpt/README.md': '/docs/command',
  '../scripts/sandbox/README.md': '#sandbox',
  'examples/sign-up/check-address.mjs': '#check-addressmjs',
};

/** Names of the style sheet, the icon and the docs' script. */
type Assets = { readonly style: string; readonly icon: string; readonly script: string };

/** Writes `docs.html`, and the other pages below `docs/`. */
export async function buildDocs(outDir: string, assets: Assets): Promise<void> {
  await mkdir(join(outDir, 'docs'), { recursive: true });
  for (const doc of DOCS) {
    const contents: Heading[] = [];
    const content = reader(contents).render(await doc.text());
    await writeFile(join(outDir, `${doc.path}.html`), pageOf(doc, { content, contents }, assets));
  }
}

function read(name: string): Promise<string> {
  return readFile(join(ROOT, name), 'utf8');
}

function sandbox(): string {
  const rows = SANDBOX.map(({ address, shows, status }) => `| \`${address}\` | ${shows} | \`${status}\` |`);
  return `## Sandbox

With a test key these addresses get the same answers every time. Nothing is probed and nothing is charged.

| address | shows | status |
|---|---|---|
${rows.join('\n')}
`;
}

async function signUpForm(): Promise<string> {
  const file = 'check-address.mjs';
  return `${await read('schema/SIGN-UP-FORM.md')}\n${await program(`sign-up/${file}`, file)}`;
}

async function examples(): Promise<string> {
  const fences = (lines: readonly string[]): string =>
    LANGUAGES.map(({ name }, at) => `~~~~${name}\n${lines[at]}\n~~~~\n`).join('\n');
  const sources = await Promise.all(LANGUAGES.map(({ name, file }) => read(`schema/examples/${name}/${file}`)));
  return `# Programs to copy

Each verifies a list, with retries, and uses nothing but its standard library. Set \`RCPT_URL\` to the address of this service
and \`RCPT_API_KEY\` to your key. For Node there is [the client](client/README.md).

## Run it

${fences(LANGUAGES.map(({ command, file }) => `${command} ${file} < list.txt`))}
## The program

${fences(sources.map((source) => source.trimEnd()))}`;
}

async function mcp(): Promise<string> {
  return `# An MCP server for assistants\n\n${partOf(await read(COMMAND), 'For assistants')}
It is part of [the command](../scripts/rcpt/README.md), which is installed and signed in once.\n`;
}

/** What stands below a heading. @throws if there is none: a page would be silently empty */
function partOf(text: string, title: string): string {
  const [, after] = text.split(`\n## ${title}\n`);
  if (after === undefined) throw new Error(`No heading "${title}" to make docs of.`);
  return after.split('\n## ')[0] ?? '';
}

function without(text: string, titles: readonly string[]): string {
  return titles.reduce((rest, title) => rest.replace(`\n## ${title}\n${partOf(rest, title)}`, ''), text);
}

async function program(path: string, title: string): Promise<string> {
  return `## ${title}\n\n~~~~\n${(await read(`schema/examples/${path}`)).trimEnd()}\n~~~~\n`;
}

type Heading = { readonly id: string; readonly words: string };

/** Markdown with headings that can be linked (its `contents`), and with code and tables that the keyboard can move. HTML in it is text. */
function reader(contents: Heading[]) {
  const markdown = new MarkdownIt();
  const { rules } = markdown.renderer;
  const code = (text: string): string =>
    `<pre tabindex="0" aria-label="Code"><code>${markdown.utils.escapeHtml(text)}</code></pre>\n`;
  rules.fence = (tokens, at) => {
    const { info = '', content = '' } = tokens[at] ?? {};
    const title = TABS.get(info);
    if (title === undefined) return code(content);
    return `<div class="tab" data-language="${info}"><p class="tab-title">${title}</p>${code(content)}</div>\n`;
  };
  rules.code_block = rules.fence;
  rules.table_open = () => '<div class="table-box" role="group" aria-label="Table" tabindex="0"><table>\n';
  rules.table_close = () => '</table></div>\n';
  // A corner without words is no heading.
  rules.th_open = (tokens, at, options, _env, self) => {
    if (tokens[at + 1]?.content === '') for (const cell of [tokens[at], tokens[at + 2]]) if (cell) cell.tag = 'td';
    return self.renderToken(tokens, at, options);
  };
  rules.heading_open = (tokens, at, options, _env, self) => {
    const words = tokens[at + 1]?.content ?? '';
    const id = words
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(/\s/g, '-');
    tokens[at]?.attrSet('id', id);
    if (tokens[at]?.tag === 'h2') contents.push({ id, words: words.replaceAll('`', '') });
    return self.renderToken(tokens, at, options);
  };
  rules.link_open = (tokens, at, options, _env, self) => {
    const token = tokens[at];
    const href = String(token?.attrGet('href') ?? '');
    const leadsTo = LINKS[href] ?? (/^(?:#|https:)/.test(href) ? href : null);
    if (token !== undefined) token.attrs = leadsTo === null ? [] : [['href', leadsTo]];
    return self.renderToken(tokens, at, options);
  };
  return markdown;
}

type Page = { readonly content: string; readonly contents: readonly Heading[] };

function pageOf({ path, title }: Doc, { content, contents }: Page, { style, icon, script }: Assets): string {
  const toc = `<ul>${contents.map(({ id, words }) => `<li><a href="#${id}">${words}</a></li>`).join('')}</ul>`;
  const links = DOCS.map((doc) => {
    const isThis = doc.path === path;
    return `<li><a href="${doc.path}"${isThis ? ' aria-current="page"' : ''}>${doc.title}</a>${isThis ? toc : ''}</li>`;
  });
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${title} – rcpt docs</title>
    <link rel="icon" href="${icon}" type="image/svg+xml" />
    <link rel="stylesheet" href="${style}" />
    <script type="module" src="${script}"></script>
  </head>
  <body>
    <div class="frame docs-page">
      <a class="skip" href="#main">Skip to the content</a>
      <header class="bar short">
        <a class="brand" href="/"><img src="${icon}" width="22" height="22" alt="" />rcpt</a>
        <nav aria-label="Pages"><a href="/docs" aria-current="page">Docs</a></nav>
        <div class="corner"><a href="/verify">Dashboard</a></div>
      </header>
      <div class="docs-frame">
        <nav class="contents" aria-label="Docs">
          <ul>${links.join('')}<li><a href="/api/v1/openapi.json">openapi.json</a></li></ul>
        </nav>
        <main id="main" class="docs">
          <details class="toc"><summary>On this page</summary><nav aria-label="On this page">${toc}</nav></details>
          ${content}
        </main>
      </div>
      <!-- foot -->
    </div>
  </body>
</html>
`;
}
