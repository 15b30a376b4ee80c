import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';

import { SHELVES } from '../shelves.mjs';

const pages = join(dirname(fileURLToPath(import.meta.url)), '..', '.pages');

function titleOf(name) {
  return /^# (.+)$/m.exec(readFileSync(join(pages, `${name}.md`), 'utf8'))?.[1] ?? name;
}

const sidebar = [
  ...SHELVES.map(({ text, pages: names }) => ({
    text,
    items: names.map((name) => ({ text: titleOf(name), link: `/${name}` })),
  })),
  { text: 'API', items: [{ text: 'Classes and functions', link: '/api/' }] },
];

export default defineConfig({
  title: 'evenkeel',
  description: 'The orders you tested are the orders you get.',
  // Without an icon a browser asks for one that is not there.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  srcDir: '.pages',
  srcExclude: ['public/**'],
  outDir: 'dist',
  cleanUrls: true,
  // Files of the repository, which the tests of the docs look for.
  ignoreDeadLinks: [/^(?:\.\/)?\.\.\//],
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar,
    nav: SHELVES.map(({ text, pages: [first] }) => ({ text, link: `/${first}` })),
  },
});
