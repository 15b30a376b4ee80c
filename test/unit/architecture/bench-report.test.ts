import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { describe, expect, it } from 'vitest';

import type { Figure } from '../../perf/measure.js';

interface BenchDocument {
  readonly machine: { readonly cpu: string; readonly cores: number; readonly node: string };
  readonly figures: readonly (Figure & { readonly bench: string })[];
}

const file = resolve(import.meta.dirname, '../../../.ci/bench-report.mjs');
const { compareFigures } = (await import(pathToFileURL(file).href)) as {
  readonly compareFigures: (before: BenchDocument, after: BenchDocument) => readonly string[];
};

function aDocument(figure: Partial<Figure>, cpu = 'a processor'): BenchDocument {
  const spread = { rounds: 5, low: figure.median ?? 0, high: figure.median ?? 0 };
  const plain = { name: 'spot', unit: 'ns', better: 'less', median: 100, ...spread } as const;
  return {
    machine: { cpu, cores: 2, node: 'v20.0.0' },
    figures: [{ bench: 'replay', ...plain, ...figure }],
  };
}

describe('compareFigures', () => {
  it('reports an improvement of a figure for which less is better', () => {
    const lines = compareFigures(aDocument({ median: 100 }), aDocument({ median: 50 }));

    expect(lines.at(-1)).toMatch(/^replay: spot, ns +2\.000 times as good, better as measured$/);
  });

  it('marks a change within the spread of both', () => {
    const wide = { low: 50, high: 150 };

    const lines = compareFigures(
      aDocument({ median: 100, ...wide }),
      aDocument({ median: 110, ...wide }),
    );

    expect(lines.at(-1)).toMatch(/0\.909 times as good, worse as measured, within the spread$/);
  });

  it('compares ratios to a reference of the same run between different machines', () => {
    const before = aDocument({ better: 'more', median: 10, reference: 'by hand', ratio: 0.1 });
    const after = aDocument(
      { better: 'more', median: 5, reference: 'by hand', ratio: 0.2 },
      'another',
    );

    const lines = compareFigures(before, after);

    expect(lines.at(-1)).toMatch(/2\.000 times as good, better beside by hand$/);
    expect(lines).toContain('the base is of another machine (cpu): only ratios compare');
  });

  it('reports new figures, and the number of figures not measured', () => {
    const lines = compareFigures(aDocument({}), aDocument({ name: 'futures' }));

    expect(lines.at(-2)).toMatch(/^replay: futures, ns +new$/);
    expect(lines.at(-1)).toBe('1 of the base were not measured now');
  });
});
