import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { FIGURES } from '../../../../src/research/fuzz/figures.js';

describe('FIGURES', () => {
  it('have the names and the meanings of docs/fuzz.md', () => {
    const text = readFileSync(
      path.resolve(import.meta.dirname, '../../../../docs/fuzz.md'),
      'utf8',
    );
    const table = text.slice(text.indexOf('| figure'), text.indexOf('A figure that'));

    const rows = [...table.matchAll(/^\| `([^`]+)` +\| (.*?) +\|$/gm)];

    expect(rows.map(([, name, meaning]) => [name, meaning])).toEqual(Object.entries(FIGURES));
  });
});
