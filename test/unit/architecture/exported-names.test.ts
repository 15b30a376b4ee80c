import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { expect, it } from 'vitest';

const SOURCE = resolve(import.meta.dirname, '../../../src');
/** The scripts of report pages are a program of their own and share no code with the rest. */
const OTHER_PROGRAM = join('page', 'browser');
const DECLARATION =
  /^export (?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm;

/** The files that declare each exported name. */
function declarations(): ReadonlyMap<string, ReadonlySet<string>> {
  const declared = new Map<string, Set<string>>();
  for (const file of readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(file) || file.startsWith(OTHER_PROGRAM)) continue;
    for (const [, name = ''] of readFileSync(join(SOURCE, file), 'utf8').matchAll(DECLARATION))
      declared.set(name, (declared.get(name) ?? new Set()).add(file));
  }
  return declared;
}

it('no exported name is declared in two files: one name for one thing', () => {
  const declared = declarations();

  expect(declared.size).toBeGreaterThan(2_000);
  expect([...declared].filter(([, files]) => files.size > 1)).toEqual([]);
});
