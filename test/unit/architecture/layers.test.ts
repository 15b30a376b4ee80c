import { spawnSync } from 'node:child_process';

import { beforeAll, describe, expect, it } from 'vitest';

import { CLEAN, PLANTED, PROPS } from '../../support/planted-layers.js';
import { plantTree, removeTree, ROOT } from '../../support/planted-tree.js';
import type { Tree } from '../../support/planted-tree.js';

// A checker that sees nothing looks like a clean tree. So a tree with planted violations must be reported,
// each by its rule, and a clean one must pass, before what `npm run arch` says of `src` means anything.

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

describe('the layer checker', () => {
  it('passes a clean tree and says how many modules it read', () => {
    const verdict = checkLayers(CLEAN);

    expect(verdict.violations).toEqual([]);
    expect(verdict.output).toContain(
      `${String(Object.keys(CLEAN).length)} modules of src and strategies read, 0 violations`,
    );
    expect(verdict.exitCode).toBe(0);
  });

  it('fails where there was nothing to read', () => {
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
