import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { CLEAN, PLANTED, PROPS } from '../../support/planted/planted-layers.js';
import { plantTree, removeTree, ROOT } from '../../support/planted/planted-tree.js';
import type { Tree } from '../../support/planted/planted-tree.js';

// A checker that sees no files looks like a clean tree. So each planted violation must be reported by its rule, and a clean tree must pass. Only then the
// result of `npm run arch` for `src` means anything.

interface Verdict {
  readonly exitCode: number | null;
  readonly output: string;
  /** One line per violation: `rule: from → to`. */
  readonly violations: readonly string[];
}

function checkLayers(tree: Tree): Verdict {
  const folder = plantTree(tree, ['package.json']);
  const { status, stdout, stderr } = spawnSync(process.execPath, ['.ci/arch.mjs', folder], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  removeTree(folder);
  const violations = stdout
    .split('\n')
    .filter((line) => line.startsWith('  error '))
    // The packages lie outside the planted tree: keep the path from `node_modules` on.
    .map((line) => line.replace('  error ', '').replace(/ → \S*?(?=node_modules\/)/, ' → '));
  return { exitCode: status, output: stdout + stderr, violations };
}

/** Modules of the table, in its order: each has a rule of its name. */
function modulesOfTable(): readonly string[] {
  const { forbidden } = createRequire(import.meta.url)(join(ROOT, '.dependency-cruiser.cjs')) as {
    readonly forbidden: readonly { readonly name: string }[];
  };
  return forbidden.flatMap(({ name }) => /^(.+)-imports$/.exec(name)?.[1] ?? []);
}

describe('the table of layers', () => {
  it('names exactly the existing modules', () => {
    const folders = readdirSync(join(ROOT, 'src'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);

    expect(modulesOfTable().toSorted()).toEqual(folders.toSorted());
  });

  it('has the order of the table in the README', () => {
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');

    expect([...readme.matchAll(/^\| `([a-z-]+)` +\|/gm)].map(([, name]) => name)).toEqual(
      modulesOfTable(),
    );
  });
});

describe('the layer checker', () => {
  it('passes a clean tree, and reports how many modules it read', () => {
    const verdict = checkLayers(CLEAN);

    expect(verdict.violations).toEqual([]);
    expect(verdict.output).toContain(
      `${String(Object.keys(CLEAN).length)} modules of src and strategies read, 0 violations`,
    );
    expect(verdict.exitCode).toBe(0);
  });

  it('fails if there was nothing to read', () => {
    const verdict = checkLayers({});

    expect(verdict.output).toContain('the checker is blind');
    expect(verdict.exitCode).toBe(1);
  });

  describe('in a tree with planted violations', () => {
    let verdict: Verdict;

    beforeAll(() => {
      const planted = PLANTED.map(([, file, text]) => [file, text] as const);
      verdict = checkLayers({ ...CLEAN, ...PROPS, ...Object.fromEntries(planted) });
    });

    it('fails', () => {
      expect(verdict.exitCode).toBe(1);
    });

    it.each(PLANTED)('reports %s', (_defect, _file, _text, report) => {
      expect(verdict.violations.filter((line) => line.startsWith(report))).toHaveLength(1);
    });
  });
});
