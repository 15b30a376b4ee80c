import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ALLOWED, DEFECTS } from '../../support/planted/planted-defects.js';
import { plantTree, removeTree, ROOT } from '../../support/planted/planted-tree.js';

// A lint rule that is switched off by accident reports nothing, like clean code. So each ban is tested with its defect.

interface FileReport {
  readonly filePath: string;
  readonly messages: readonly { readonly ruleId: string | null; readonly line: number }[];
}

const ESLINT = join(ROOT, 'node_modules', 'eslint', 'bin', 'eslint.js');

/** The planted files. Each defect is one line of its file. */
function defectiveFiles(): Map<string, string[]> {
  const files = new Map<string, string[]>();
  for (const [, file, code] of DEFECTS) files.set(file, [...(files.get(file) ?? []), code]);
  return files;
}

describe('the linter', () => {
  const files = defectiveFiles();
  const lines = [...files].map(([file, code]) => [file, code.join('\n')] as const);
  let folder: string;
  let reports: readonly FileReport[];

  beforeAll(() => {
    const tree = { ...ALLOWED, ...Object.fromEntries(lines) };
    folder = plantTree(tree, [
      'package.json',
      'tsconfig.json',
      'eslint.config.js',
      '.ci/no-module-state.mjs',
    ]);
    const args = [ESLINT, '--format', 'json', '--output-file', 'report.json', '.'];
    spawnSync(process.execPath, args, { cwd: folder });
    reports = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as FileReport[];
  }, 60_000);

  afterAll(() => {
    removeTree(folder);
  });

  function rulesBroken(file: string, line?: number): (string | null)[] {
    const report = reports.find(({ filePath }) => relative(folder, filePath) === join(file));
    const messages = report?.messages ?? [];
    return messages.filter((m) => line === undefined || m.line === line).map((m) => m.ruleId);
  }

  it.each(DEFECTS)('reports %s in %s', (_defect, file, code, rule) => {
    const line = (files.get(file) ?? []).indexOf(code) + 1;

    expect(rulesBroken(file, line)).toContain(rule);
  });

  it.each(Object.keys(ALLOWED))('finds nothing in %s', (file) => {
    expect(reports.map(({ filePath }) => relative(folder, filePath))).toContain(join(file));
    expect(rulesBroken(file)).toEqual([]);
  });
});
