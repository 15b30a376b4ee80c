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

describe('modules loaded at a start', () => {
  it('are only the command line and the domain before a command is chosen', () => {
    expect(modulesLoadedWith('cli/main.ts')).toEqual(['cli', 'domain']);
  });

  it('include no command before its name is known, so that help is quick', () => {
    const files = filesLoadedWith('cli/main.ts').map((file) => relative(SOURCE, file));

    expect(files).toContain('cli/commands.ts');
    expect(files.filter((file) => /-commands?\.ts$/.test(file))).toEqual([]);
  });

  it('include neither the client nor the local exchange for a backtest', () => {
    const modules = modulesLoadedWith('cli/backtest/run-backtest-command.ts');

    expect(modules).toContain('simulator');
    expect(modules).not.toContain('client');
    expect(modules).not.toContain('local-exchange');
  });
});
