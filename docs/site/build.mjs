/**
 * Builds the docs as a site, into `dist`: gathers the pages, has TypeDoc write the reference of the three entry points from their docstrings, writes
 * `llms.txt`, and has VitePress make pages of all. A link to a page that is not there ends the build.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Application } from 'typedoc';
import { build } from 'vitepress';

import { SHELVES } from './shelves.mjs';

const site = dirname(fileURLToPath(import.meta.url));
const docs = dirname(site);
const root = dirname(docs);
const pages = join(site, '.pages');

function gatherPages() {
  rmSync(pages, { recursive: true, force: true });
  mkdirSync(join(pages, 'public'), { recursive: true });
  for (const name of readdirSync(docs)) {
    if (name.endsWith('.png')) cpSync(join(docs, name), join(pages, name));
    if (!name.endsWith('.md')) continue;
    const text = readFileSync(join(docs, name), 'utf8');
    // A block that belongs into a file has its name above it.
    const titled = text.replaceAll(/^```(\w+) (\S+)$/gm, '`$2`:\n\n```$1');
    writeFileSync(join(pages, name), titled);
  }
  cpSync(join(site, 'index.md'), join(pages, 'index.md'));
}

async function writeReference() {
  const app = await Application.bootstrapWithPlugins({
    entryPoints: ['index.ts', 'run/index.ts', 'testing/index.ts'].map((name) =>
      join(root, 'src', name),
    ),
    tsconfig: join(root, 'tsconfig.json'),
    plugin: ['typedoc-plugin-markdown'],
    outputs: [{ name: 'markdown', path: join(pages, 'api') }],
    name: 'evenkeel',
    readme: 'none',
    entryFileName: 'index',
    excludePrivate: true,
    excludeInternal: true,
    disableSources: true,
    hidePageHeader: true,
    hideBreadcrumbs: true,
    useCodeBlocks: true,
    logLevel: 'Error',
    validation: false,
    skipErrorChecking: true,
  });
  const project = await app.convert();
  if (project === undefined) throw new Error('the reference could not be written: see above');
  await app.generateOutputs(project);
  nameEntryPoints();
}

/** What a program imports is named as it imports it, and not as the files are. */
function nameEntryPoints() {
  const about = {
    index: ['evenkeel', 'what a strategy imports'],
    run: ['evenkeel/run', 'backtests, sweeps and bots from code'],
    testing: ['evenkeel/testing', 'tests of strategies, and contracts of extension points'],
  };
  const list = Object.entries(about).map(
    ([folder, [name, what]]) => `- [\`${name}\`](${folder}/index.md): ${what}`,
  );
  const intro = 'All classes, functions and types, by what a program imports:';
  writeFileSync(join(pages, 'api', 'index.md'), `# API\n\n${intro}\n\n${list.join('\n')}\n`);
  for (const [folder, [name]] of Object.entries(about)) {
    const file = join(pages, 'api', folder, 'index.md');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^# .*$/m, `# ${name}`));
  }
}

/** What a reader that is a program begins with: each page with its title and its first sentences. */
function writeLlms() {
  const lines = SHELVES.flatMap(({ text, pages: names }) => [
    `\n## ${text}\n`,
    ...names.map((name) => {
      const page = readFileSync(join(docs, `${name}.md`), 'utf8');
      const [title = name, ...parts] = page.split(/\n\n+/);
      const first = parts.find((part) => /^[\w`[*]/.test(part)) ?? title;
      return `- [${title.replace('# ', '')}](${name}.md): ${first.replaceAll('\n', ' ')}`;
    }),
  ]);
  const head =
    '# evenkeel\n\n> Write a trading strategy once in TypeScript, backtest it, and trust that the orders you tested are the orders you get.';
  writeFileSync(join(pages, 'public', 'llms.txt'), `${head}\n${lines.join('\n')}\n`);
  for (const name of readdirSync(docs))
    if (name.endsWith('.md')) cpSync(join(docs, name), join(pages, 'public', name));
}

gatherPages();
await writeReference();
writeLlms();
await build(site);
