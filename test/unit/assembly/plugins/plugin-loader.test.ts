import fs from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { Observable, scan } from 'rxjs';
import { CandleStrategy } from '../../../../src/index.js';
import { loadPlugin, type LoadedPlugin } from '../../../../src/assembly/index.js';
import { STRATEGY } from '../../../../src/strategy/index.js';
import { inFolder } from '../../../support/cli/bot-yaml.js';

const STRATEGY_SOURCE = `import { CandleStrategy, int } from 'evenkeel';
export class Demo extends CandleStrategy({ fast: int(2, 200, 10) }) {
  override onCandle(): void {}
}
`;

interface LoadOptions {
  readonly export?: string;
  readonly file?: string;
}

/** Writes files into a folder and loads the first of them. */
async function load(
  files: Readonly<Record<string, string>>,
  { export: chosen, file = Object.keys(files)[0] ?? '' }: LoadOptions = {},
): Promise<LoadedPlugin> {
  return inFolder(async (folder) => {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
      await writeFile(path.join(folder, name), text);
    }
    return loadPlugin(
      { path: path.join(folder, file), export: chosen, parameters: {} },
      {
        locate: (key) => ({ file: 'bot.yaml', line: 3, column: 3, key: `strategy.${key}` }),
        describeFile: (absolute) => path.relative(folder, absolute),
      },
    );
  });
}

describe('loadPlugin', () => {
  it('loads a TypeScript class that shares the running copies of evenkeel and rxjs', async () => {
    const { strategyClass, name } = await load({
      'demo.ts': `import { CandleStrategy } from 'evenkeel';
import { Observable } from 'rxjs';
import { scan } from 'rxjs/operators';
import { intervalProvider } from 'rxjs/internal/scheduler/intervalProvider';
import { rxjsOfHelper } from './folder/helper.js';
export class Demo extends CandleStrategy({}) {
  static readonly seen = { CandleStrategy, Observable, scan, intervalProvider, rxjsOfHelper };
  override onCandle(): void {}
}
`,
      'folder/helper.ts': `export { Observable as rxjsOfHelper } from 'rxjs';`,
      'node_modules/rxjs/package.json':
        '{ "name": "rxjs", "version": "0.0.0", "main": "index.js" }',
      'node_modules/rxjs/index.js': 'exports.Observable = class Other {};',
    });
    const provider = await import('rxjs/internal/scheduler/intervalProvider');

    expect(name).toBe('Demo');
    expect(strategyClass).toHaveProperty('seen', {
      CandleStrategy,
      Observable,
      scan,
      intervalProvider: provider.intervalProvider,
      rxjsOfHelper: Observable,
    });
  });

  it.each([
    ['an ES module', 'demo.mjs', STRATEGY_SOURCE.replace('override ', '').replace(': void', '')],
    [
      'CommonJS',
      'demo.js',
      `const { CandleStrategy } = require('evenkeel');
exports.Demo = class Demo extends CandleStrategy({}) { onCandle() {} };`,
    ],
    [
      'a default export',
      'demo.ts',
      STRATEGY_SOURCE.replace('export class', 'export default class'),
    ],
    ['a class exported twice', 'demo.ts', `${STRATEGY_SOURCE}export default Demo;`],
  ])('loads %s', async (_what, file, source) => {
    const { strategyClass } = await load({ [file]: source });

    expect(strategyClass.name).toBe('Demo');
    expect(strategyClass[STRATEGY].parameters).toBeDefined();
  });

  it('loads a plugin that does not type-check', async () => {
    const { name } = await load({ 'demo.ts': `${STRATEGY_SOURCE}const wrong: number = 'text';\n` });

    expect(name).toBe('Demo');
  });

  it('loads the class that the configuration names if there are several', async () => {
    const { strategyClass } = await load(
      { 'demo.ts': `${STRATEGY_SOURCE}export class Other extends Demo {}\n` },
      { export: 'Other' },
    );

    expect(strategyClass.name).toBe('Other');
  });

  it.each<readonly [string, Readonly<Record<string, string>>, LoadOptions, string]>([
    [
      'a missing file',
      {},
      { file: 'none.ts' },
      'bot.yaml:3:3 strategy.path: expected a plugin file (.ts, .mts, .js, .mjs), received none.ts, which does not exist (E_PLUGIN_FILE)',
    ],
    [
      'a folder',
      { 'folder/a.ts': '' },
      { file: 'folder' },
      'bot.yaml:3:3 strategy.path: expected a plugin file (.ts, .mts, .js, .mjs), received folder, which is not a file (E_PLUGIN_FILE)',
    ],
    [
      'another kind of file',
      { 'demo.py': '' },
      {},
      'bot.yaml:3:3 strategy.path: expected a plugin file (.ts, .mts, .js, .mjs), received demo.py (E_PLUGIN_FILE)',
    ],
    [
      'a syntax error',
      { 'demo.ts': 'const a = 1;\n  class {\n' },
      {},
      'demo.ts:2:9: expected valid TypeScript or JavaScript, received A class name is required (E_PLUGIN_SYNTAX)',
    ],
    [
      'a syntax error in a file it imports',
      { 'demo.ts': `import './part.js';\n${STRATEGY_SOURCE}`, 'part.ts': '\n\nconst a = ;' },
      {},
      'part.ts:3:11: expected valid TypeScript or JavaScript, received Unexpected token (E_PLUGIN_SYNTAX)',
    ],
    [
      'an import of a file that is not there',
      { 'demo.ts': `${STRATEGY_SOURCE}import { part } from './part.js';\nconsole.log(part);\n` },
      {},
      'demo.ts:5:22: expected a module that can be found, received "./part.js" (E_PLUGIN_IMPORT)',
    ],
    [
      'an import of a package that is not there',
      { 'demo.ts': `import lodash from 'not-installed';\n${STRATEGY_SOURCE}lodash();\n` },
      {},
      'demo.ts:1:20: expected a module that can be found, received "not-installed" (E_PLUGIN_IMPORT)',
    ],
    [
      'an exception at import',
      {
        'demo.ts':
          'interface A {\n  b: number;\n}\nconst a: A = { b: 1 };\nif (a.b > 0) throw new RangeError("no luck");\n',
      },
      {},
      'demo.ts:5:20: expected a plugin that loads, received RangeError: no luck (E_PLUGIN_THROWS)',
    ],
    [
      'an exception in a file it imports',
      { 'demo.ts': `import './part.js';\n${STRATEGY_SOURCE}`, 'part.ts': '\nnull.x;\n' },
      {},
      "part.ts:2:6: expected a plugin that loads, received TypeError: Cannot read properties of null (reading 'x') (E_PLUGIN_THROWS)",
    ],
    [
      'a wrong parameter declaration',
      { 'demo.ts': STRATEGY_SOURCE.replace('int(2, 200, 10)', 'int(20, 200, 10)') },
      {},
      'demo.ts:2:53: expected a plugin that loads, received DomainError: int(min, max, default): expected min <= default <= max, received min 20, max 200, default 10 (E_PARAMETER_DECLARATION)',
    ],
    [
      'no strategy',
      { 'demo.ts': 'export class Demo {}\nexport const x = 3;\n' },
      {},
      'bot.yaml:3:3 strategy.path: expected a plugin that exports a class made with Strategy or CandleStrategy, received no such export (E_PLUGIN_EXPORT)',
    ],
    [
      'nothing at all',
      { 'demo.ts': '' },
      {},
      'bot.yaml:3:3 strategy.path: expected a plugin that exports a class made with Strategy or CandleStrategy, received no such export (E_PLUGIN_EXPORT)',
    ],
    [
      'two strategies',
      { 'demo.ts': `${STRATEGY_SOURCE}export class Other extends Demo {}\n` },
      {},
      'bot.yaml:3:3 strategy.path: expected one exported strategy, or strategy.export to name one, received Demo, Other (E_PLUGIN_EXPORT)',
    ],
    [
      'a name that is not exported',
      { 'demo.ts': STRATEGY_SOURCE },
      { export: 'Dmeo' },
      'bot.yaml:3:3 strategy.export: expected one of the exported strategies Demo, received "Dmeo" (E_PLUGIN_EXPORT)',
    ],
  ])('fails with a ConfigError for %s', async (_what, files, options, message) => {
    await expect(load(files, options)).rejects.toThrow(
      expect.objectContaining({ name: 'ConfigError', message }) as Error,
    );
  });

  it('refuses a plugin that brings another copy of rxjs through a package', async () => {
    const loading = load({
      'demo.ts': `import 'uses-rxjs';\n${STRATEGY_SOURCE}`,
      'node_modules/uses-rxjs/package.json': '{ "name": "uses-rxjs", "main": "index.js" }',
      'node_modules/uses-rxjs/index.js': 'exports.rxjs = require("rxjs");',
      'node_modules/rxjs/package.json': '{ "name": "rxjs", "main": "index.js" }',
      'node_modules/rxjs/index.js': 'exports.Observable = class Other {};',
    });

    await expect(loading).rejects.toThrow(
      /^bot\.yaml:3:3 strategy\.path: expected a plugin that uses the running copy of rxjs, received another copy in .*node_modules\/rxjs \(E_PLUGIN_RXJS\)$/,
    );
  });
});

describe('the source hash of a plugin', () => {
  const files = {
    'demo.ts': `import './part.js';\n${STRATEGY_SOURCE}`,
    'part.ts': `import './deep/other.js';\n`,
    'deep/other.ts': 'export const one = 1;\n',
  };

  it('is the same in another folder', async () => {
    const [first, second] = [await load(files), await load(files)];

    expect(second.sourceHash).toBe(first.sourceHash);
    expect(first.sourceHash).toMatch(/^[0-9a-f]{64}$/);
  });

  it('changes with a file that is imported by an imported file', async () => {
    const changed = { ...files, 'deep/other.ts': 'export const one = 2;\n' };

    const [before, after] = [await load(files), await load(changed)];

    expect(after.sourceHash).not.toBe(before.sourceHash);
  });

  it('changes with the name of a file', async () => {
    const renamed = {
      'demo.ts': files['demo.ts'].replace('./part.js', './pert.js'),
      'pert.ts': files['part.ts'],
      'deep/other.ts': files['deep/other.ts'],
    };

    const [before, after] = [await load(files), await load(renamed)];

    expect(after.sourceHash).not.toBe(before.sourceHash);
  });
});

describe('the cache of loadPlugin', () => {
  it('is not needed when another process removes an entry between the look for it and its read', async () => {
    const loaded = await inFolder(async (folder) => {
      const file = path.join(folder, 'demo.ts');
      const cacheFolder = path.join(folder, 'cache');
      await mkdir(cacheFolder);
      await writeFile(file, `import './helper.js';\n${STRATEGY_SOURCE}`);
      await writeFile(path.join(folder, 'helper.ts'), 'export const helper = 1;\n');
      const exists = vi
        .spyOn(fs, 'existsSync')
        .mockImplementation((place) => String(place).startsWith(cacheFolder));
      const locate = (): { readonly file: string } => ({ file: 'bot.yaml' });
      try {
        const strategy = { path: file, export: undefined, parameters: {} };
        return await loadPlugin(strategy, { locate, cacheFolder });
      } finally {
        expect(exists).toHaveBeenCalled();
        exists.mockRestore();
      }
    });

    expect(loaded.name).toBe('Demo');
  });
});
