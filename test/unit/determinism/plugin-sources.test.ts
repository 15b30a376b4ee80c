import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { evaluateModule } from '../../../src/assembly/plugins/evaluate-module.js';
import { readPluginSources } from '../../../src/determinism/index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** A specifier, and the files beside the plugin's folder of which it means one. */
const IMPORTS: readonly (readonly [string, readonly string[]])[] = [
  ['.', ['index.ts']],
  ['./', ['index.mts']],
  ['..', ['../index.ts']],
  ['../', ['../index.js', '../index.ts']],
  ['./lib', ['lib.ts', 'lib.js']],
  ['./lib', ['lib.cjs', 'lib.ts']],
  ['./lib', ['lib.tsx', 'lib.mts']],
  ['./lib', ['lib.cts']],
  ['./lib', ['lib/index.ts', 'lib.json']],
  ['./lib', ['lib/index.cjs', 'lib/index.ts']],
  ['./lib', ['lib.json']],
  ['./lib/', ['lib.js', 'lib/index.ts']],
  ['./lib.js', ['lib.ts', 'lib.js']],
  ['./lib.js', ['lib.ts']],
  ['./lib.mjs', ['lib.mts']],
  ['./lib.cjs', ['lib.cts']],
  ['./lib.jsx', ['lib.tsx']],
];

function textOf(file: string): string {
  if (file.endsWith('.json')) return JSON.stringify({ name: file });
  return /\.c[jt]s$/.test(file)
    ? `exports.name = ${JSON.stringify(file)};`
    : `export const name = ${JSON.stringify(file)};`;
}

describe('readPluginSources', () => {
  it.each(IMPORTS)(
    'reads the file that the loader takes for %s, of %j',
    async (specifier, files) => {
      const folder = path.join(await temporaryFolder(), 'plugin');
      await mkdir(folder);
      const plugin = path.join(folder, 'plugin.ts');
      await writeFile(plugin, `export { name } from ${JSON.stringify(specifier)};\n`);
      for (const file of files) {
        await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
        await writeFile(path.join(folder, file), textOf(file));
      }

      const sources = await readPluginSources(plugin);
      const { exported } = await evaluateModule(plugin, {});

      const loaded = (exported as { readonly name: string }).name;
      expect([...sources.keys()]).toEqual([plugin, path.join(folder, loaded)]);
    },
  );
});
