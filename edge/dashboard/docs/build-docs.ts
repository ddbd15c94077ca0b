import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import MarkdownIt from 'markdown-it';
import { SANDBOX } from '../../../schema/words/sandbox.ts';

// The docs are pages without a script, made of what stands in schema/ for readers of the repository too.

const SCHEMA = fileURLToPath(new URL('../../../schema/', import.meta.url));

/** The languages that have a program in schema/examples: its folder, title, command and file. */
const LANGUAGES = [
  { name: 'curl', title: 'curl', command: 'bash', file: 'verify.sh' },
  { name: 'python', title: 'Python', command: 'python3', file: 'verify.py' },
  { name: 'go', title: 'Go', command: 'go run', file: 'verify.go' },
  { name: 'php', title: 'PHP', command: 'php', file: 'verify.php' },
  { name: 'ruby', title: 'Ruby', command: 'ruby', file: 'verify.rb' },
  { name: 'java', title: 'Java', command: 'java', file: 'Verify.java' },
] as const;

type Doc = { readonly path: string; readonly title: string; readonly text: () => Promise<string> };

const DOCS: readonly Doc[] = [
  {
    path: '/docs',
    title: 'API',
    text: async () => (await read('API.md')).replace('## Errors', `${sandbox()}\n## Errors`),
  },
  { path: '/docs/sign-up-form', title: 'In a sign-up form', text: signUpForm },
  { path: '/docs/client', title: 'TypeScript', text: () => read('client/README.md') },
  ...LANGUAGES.map((language) => ({
    path: `/docs/${language.name}`,
    title: language.title,
    text: () => textOf(language),
  })),
];

/** What a link of these texts leads to here; an address of the repository that no reader of the docs has is no link. */
const LINKS: Readonly<Record<string, string>> = {
  'SIGN-UP-FORM.md': '/docs/sign-up-form',
  '../SIGN-UP-FORM.md': '/docs/sign-up-form',
  'client/README.md': '/docs/client',
  'examples/README.md': '/docs/curl',
  'examples/curl/verify.sh': '/docs/curl',
  '../scripts/sandbox/README.md': '#sandbox',
  'examples/sign-up/check-address.mjs': '#check-addressmjs',
};

/** Names of the style sheet and the icon, as `index.html` has them. */
type Assets = { readonly style: string; readonly icon: string };

/** Writes `docs.html`, and one page below `docs/` for the form, the client and each language. */
export async function buildDocs(outDir: string, assets: Assets): Promise<void> {
  await mkdir(join(outDir, 'docs'), { recursive: true });
  const markdown = reader();
  for (const doc of DOCS)
    await writeFile(join(outDir, `${doc.path}.html`), pageOf(doc, markdown.render(await doc.text()), assets));
}

function read(name: string): Promise<string> {
  return readFile(join(SCHEMA, name), 'utf8');
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
  return `${await read('SIGN-UP-FORM.md')}\n${await program(`sign-up/${file}`, file)}`;
}

async function textOf({ name, title, command, file }: (typeof LANGUAGES)[number]): Promise<string> {
  return `# ${title}

The program uses nothing but the standard library. Copy it, set \`RCPT_URL\` to the address of this service and
\`RCPT_API_KEY\` to your key.

${await program(`${name}/${file}`, 'A list, with retries', `\`${command} ${file} < list.txt\`\n`)}`;
}

async function program(path: string, title: string, run = ''): Promise<string> {
  return `## ${title}\n\n${run}\n~~~~\n${(await read(`examples/${path}`)).trimEnd()}\n~~~~\n`;
}

/** Markdown with headings that can be linked, and with code and tables that the keyboard can move. HTML in it is text. */
function reader() {
  const markdown = new MarkdownIt();
  const { rules } = markdown.renderer;
  const code = (text: string): string =>
    `<pre tabindex="0" aria-label="Code"><code>${markdown.utils.escapeHtml(text)}</code></pre>\n`;
  rules.fence = (tokens, at) => code(tokens[at]?.content ?? '');
  rules.code_block = rules.fence;
  rules.table_open = () => '<div class="table-box" role="group" aria-label="Table" tabindex="0"><table>\n';
  rules.table_close = () => '</table></div>\n';
  rules.heading_open = (tokens, at, options, _env, self) => {
    const words = tokens[at + 1]?.content ?? '';
    tokens[at]?.attrSet(
      'id',
      words
        .toLowerCase()
        .replaceAll(/[^\w\s-]/g, '')
        .replaceAll(/\s/g, '-'),
    );
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

function pageOf({ path, title }: Doc, content: string, { style, icon }: Assets): string {
  const links = DOCS.map(
    (doc) => `<li><a href="${doc.path}"${doc.path === path ? ' aria-current="page"' : ''}>${doc.title}</a></li>`,
  );
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${title} – rcpt docs</title>
    <link rel="icon" href="${icon}" type="image/svg+xml" />
    <link rel="stylesheet" href="${style}" />
  </head>
  <body>
    <div class="frame">
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
        <main id="main" class="docs">${content}</main>
      </div>
      <!-- foot -->
    </div>
  </body>
</html>
`;
}
