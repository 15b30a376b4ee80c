/** Bundles the scripts and styles of report pages, `src/page/browser`, into `dist/page`: one script, one style sheet, the same bytes for the same sources. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'dist', 'page');

const { output } = await build({
  root: join(root, 'src', 'page', 'browser'),
  configFile: false,
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    write: false,
    target: 'es2022',
    cssCodeSplit: false,
    modulePreload: false,
    rolldownOptions: { input: join(root, 'src', 'page', 'browser', 'main.tsx') },
  },
});
const textOf = (end) =>
  output
    .filter(({ fileName }) => fileName.endsWith(end))
    .map((part) => part.code ?? String(part.source))
    .join('\n');
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'page.script.txt'), textOf('.js'));
writeFileSync(join(folder, 'page.style.txt'), textOf('.css'));
