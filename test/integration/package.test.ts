import { execFileSync, spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { programOf } from '../support/documents.js';

const ROOT = resolve(import.meta.dirname, '../..');

/** A plugin that stores its imports globally, so that a program can compare them with its own. */
const PLUGIN = `import { CandleStrategy } from 'evenkeel';
import { Observable } from 'rxjs';
export class Buys extends CandleStrategy({}) {
  onCandle() {
    globalThis.seen ??= { base: Object.getPrototypeOf(Buys), Observable, CandleStrategy };
    this.enterLong({ quantity: '1' });
  }
}
`;

const PROGRAM = `import { CandleStrategy } from 'evenkeel';
import { Observable } from 'rxjs';
import { ConfigError, runBacktest } from 'evenkeel/run';
const at = Date.parse('2024-01-01');
const candles = [0, 1, 2].map((index) => ({
  openTime: at + index * 60_000, open: 10, high: 10, low: 10, close: 10, volume: 1000,
}));
const config = {
  name: 'packed',
  strategy: { path: './buys.strategy.mjs' },
  instruments: [{ product: 'spot', symbol: 'BTCUSDT', intervals: ['1min'] }],
  simulation: {
    balances: { USDT: '1000' },
    fees: { maker: '0', taker: '0' },
    rules: { BTCUSDT: { pricePrecision: 2, quantityPrecision: 2, minOrderMoney: '1' } },
  },
};
const series = [{ instrument: 'spot:BTCUSDT', interval: '1min', candles }];
const result = await runBacktest({ config, candles: series });
const failed = await runBacktest({
  config: { ...config, strategy: { path: 'none.mjs' } },
  candles: series,
}).catch((error) => error);
console.log(JSON.stringify({
  fills: result.fills.length > 0,
  sameStrategy: globalThis.seen.CandleStrategy === CandleStrategy,
  sameRxjs: globalThis.seen.Observable === Observable,
  sameError: failed instanceof ConfigError && failed.name === 'ConfigError',
}));
`;

/** Modules that a program may import: the entry points of the package, rxjs, and Node. */
const PUBLISHED = /^(?:evenkeel(?:\/run|\/testing)?|rxjs|node:[a-z/]+)$/;
const compilerOptions: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.ESNext,
  verbatimModuleSyntax: true,
};

let folder = '';

/** Names of the packages that declarations import, and those that they import in turn. Modules of Node are left out. */
function packagesOf(files: readonly string[]): readonly string[] {
  const [seen, packages] = [new Set(files), new Set<string>()];
  for (const file of seen)
    for (const { fileName } of ts.preProcessFile(readFileSync(file, 'utf8')).importedFiles)
      if (fileName.startsWith('.')) seen.add(resolve(file, '..', fileName.replace(/js$/, 'd.ts')));
      else if (!isBuiltin(fileName))
        packages.add(/^(?:@[^/]+\/)?[^/]+/.exec(fileName)?.[0] ?? fileName);
  return [...packages].sort();
}

function bringsTypes(name: string): boolean {
  const file = readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8');
  return /"(?:types|typings)":|\.d\.[cm]?ts"/.test(file);
}

/** Packs the package as npm would publish it, and unpacks it where npm would install it, with the dependencies of this checkout. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'evenkeel-package-'));
  const place = join(folder, 'node_modules', 'evenkeel');
  mkdirSync(place, { recursive: true });
  const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
  const name = execFileSync('npm', pack, { cwd: ROOT, encoding: 'utf8' }).trim();
  execFileSync('tar', ['-xzf', join(folder, name), '-C', place, '--strip-components=1']);
  for (const installed of readdirSync(join(ROOT, 'node_modules')))
    if (!installed.startsWith('.') && installed !== 'evenkeel')
      symlinkSync(join(ROOT, 'node_modules', installed), join(folder, 'node_modules', installed));
  // Programs name the candles of the package by the same path as in a clone.
  symlinkSync(join(place, 'backtest'), join(folder, 'backtest'));
  writeFileSync(join(folder, 'buys.strategy.mjs'), PLUGIN);
  writeFileSync(join(folder, 'program.mjs'), PROGRAM);
}, 60_000);

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('the package as npm packs it', () => {
  it('has one copy of every class for a program, its strategy and the engine', () => {
    const run = spawnSync(process.execPath, ['program.mjs'], { cwd: folder, encoding: 'utf8' });

    expect(run.stderr).toBe('');
    expect(JSON.parse(run.stdout)).toEqual({
      fills: true,
      sameStrategy: true,
      sameRxjs: true,
      sameError: true,
    });
  }, 30_000);

  it('needs only types that a program can find: of Node, and of packages that bring their own', () => {
    const place = join(folder, 'node_modules', 'evenkeel');
    const imported = packagesOf(
      ['index', 'run/index', 'testing/index'].map((name) => join(place, 'dist', `${name}.d.ts`)),
    );

    expect(imported).toContain('rxjs');
    expect(imported.filter((name) => !bringsTypes(name))).toEqual([]);
  });

  it('contains what --version, new strategy and check read', () => {
    const main = join(folder, 'node_modules', 'evenkeel', 'dist', 'cli', 'main.js');
    const say = (...words: readonly string[]): string =>
      execFileSync(process.execPath, [main, ...words], { cwd: folder, encoding: 'utf8' });

    expect(say('--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
    say('new', 'strategy', 'my-idea');
    expect(say('check', 'config/my-idea.backtest.yaml')).toContain('nothing found');
  }, 60_000);

  it('contains the scripts of pages and the threads of a sweep', () => {
    const main = join(folder, 'node_modules', 'evenkeel', 'dist', 'cli', 'main.js');
    const config = 'node_modules/evenkeel/config/sma-crossover.backtest.yaml';
    const [page, sweep] = [join(folder, 'page.html'), join(folder, 'sweep.json')];
    const run = (...words: readonly string[]): void => {
      const given = [main, ...words, '--to', '2024-07-20'];
      const { status, stderr } = spawnSync(process.execPath, given, {
        cwd: folder,
        encoding: 'utf8',
      });
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    };

    run('backtest', config, '--no-ledger', '--report', page);
    run('sweep', config, '--grid', 'fast=5|6', '--jobs', '2', '--json', sweep);

    const script = readFileSync(join(ROOT, 'dist', 'page', 'page.script.txt'), 'utf8');
    expect(script.length).toBeGreaterThan(1_000);
    expect(readFileSync(page, 'utf8')).toContain(script);
    expect(JSON.parse(readFileSync(sweep, 'utf8'))).toMatchObject({ counts: { finished: 2 } });
  }, 60_000);

  it.each([
    ['docs/from-code.md', 'backtests and sweeps', 0],
    ['docs/own-venue.md', 'a venue, its contract, and a bot on it', 11],
    ['docs/testing.md', 'tests of a strategy', 0],
    ['docs/extending.md', 'models, a source, and their contracts', 20],
  ])(
    'has all that the program of %s imports: %s',
    (page, _what, least) => {
      const program = programOf(page);
      const file = `${basename(page, '.md')}.mjs`;
      writeFileSync(
        join(folder, file),
        ts.transpileModule(program, { compilerOptions }).outputText,
      );

      const run = spawnSync(process.execPath, ['--test-reporter=tap', file], {
        cwd: folder,
        encoding: 'utf8',
        // The program writes a golden file. Its bot has a socket folder of its own.
        env: { ...process.env, EVENKEEL_UPDATE: '1', XDG_RUNTIME_DIR: folder },
      });

      const imported = [...program.matchAll(/ from '([^']+)'/g)].map(([, name]) => name);
      expect(imported.filter((name) => !PUBLISHED.test(name ?? ''))).toEqual([]);
      expect(run.stderr).toBe('');
      expect(run.status, run.stdout).toBe(0);
      const passed = /^# pass (\d+)$/m.exec(run.stdout)?.[1] ?? '0';
      expect(Number(passed)).toBeGreaterThanOrEqual(least);
    },
    60_000,
  );

  it('runs the test of a new strategy with the test runner of Node', () => {
    const words = ['--test', 'strategies/'];
    const run = spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8' });

    expect(run.stdout).toMatch(/pass 2\n[^]*fail 0\n/);
    expect(run.status, run.stdout).toBe(0);
  }, 60_000);
});
