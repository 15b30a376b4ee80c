import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';

import { describe, expect, it } from 'vitest';

const SOURCE = resolve(import.meta.dirname, '../../../src');
const IMPORT = /^(?:import|export)\s+(?!type\b)([^;]*?)\s*from\s+'(\.[^']+)'/gms;

/** Files that a file imports when it is loaded. Imports of types only do not count: the compiler removes them. */
function importsOf(file: string): readonly string[] {
  return [...readFileSync(file, 'utf8').matchAll(IMPORT)].flatMap(([, what = '', from = '']) => {
    const names = /\{(.*)\}/s
      .exec(what)?.[1]
      ?.split(',')
      .map((name) => name.trim()) ?? ['*'];
    const isOfTypes = names.every((name) => name === '' || name.startsWith('type '));
    return isOfTypes ? [] : [resolve(dirname(file), from.replace(/\.js$/, '.ts'))];
  });
}

/** Every file that loading `entry` loads. */
function filesLoadedWith(entry: string): readonly string[] {
  const seen = new Set([resolve(SOURCE, entry)]);
  for (const file of seen) for (const imported of importsOf(file)) seen.add(imported);
  return [...seen];
}

/** Every module with a file that loading `entry` loads. */
function modulesLoadedWith(entry: string): readonly string[] {
  const modules = filesLoadedWith(entry).map(
    (file) => relative(SOURCE, file).split(/[/\\]/)[0] ?? '',
  );
  return [...new Set(modules)].toSorted();
}

describe('what a start loads', () => {
  it('is the command line and the domain, whatever the command: the rest comes with the command that needs it', () => {
    expect(modulesLoadedWith('cli/main.ts')).toEqual(['cli', 'domain']);
  });

  it('is no command before one is named, so that help is quick', () => {
    const files = filesLoadedWith('cli/main.ts').map((file) => relative(SOURCE, file));

    expect(files).toContain('cli/commands.ts');
    expect(files.filter((file) => /-commands?\.ts$/.test(file))).toEqual([]);
  });

  it('is for a backtest nothing that speaks to a venue or serves one', () => {
    const modules = modulesLoadedWith('cli/backtest/run-backtest-command.ts');

    expect(modules).toContain('simulator');
    expect(modules).not.toContain('client');
    expect(modules).not.toContain('local-exchange');
  });
});
