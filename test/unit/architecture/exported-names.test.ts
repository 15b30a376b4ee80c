import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../../..');
const SOURCE = join(ROOT, 'src');
/** The scripts of report pages are a program of their own and share no code with the rest. */
const OTHER_PROGRAM = join('page', 'browser');
const DECLARATION =
  /^export (?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm;

/** The code below a folder, by its path in the folder. */
function* filesIn(folder: string): Generator<readonly [file: string, text: string]> {
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    if (/\.(?:tsx?|mjs)$/.test(file)) yield [file, readFileSync(join(folder, file), 'utf8')];
}

/** The files that declare each exported name. */
function declarations(): ReadonlyMap<string, ReadonlySet<string>> {
  const declared = new Map<string, Set<string>>();
  for (const [file, text] of filesIn(SOURCE)) {
    if (file.startsWith(OTHER_PROGRAM)) continue;
    for (const [, name = ''] of text.matchAll(DECLARATION))
      declared.set(name, (declared.get(name) ?? new Set()).add(file));
  }
  return declared;
}

it('no exported name is declared in two files: one name for one thing', () => {
  const declared = declarations();

  expect(declared.size).toBeGreaterThan(2_000);
  expect([...declared].filter(([, files]) => files.size > 1)).toEqual([]);
});

it('a name is exported only if another file uses it', () => {
  const others = new Map([...declarations().keys()].map((name) => [name, -1]));
  for (const folder of ['src', 'strategies', 'test', '.ci'])
    for (const [, text] of filesIn(join(ROOT, folder)))
      for (const word of new Set(text.match(/\w+/g))) {
        const known = others.get(word);
        if (known !== undefined) others.set(word, known + 1);
      }

  expect([...others].filter(([, files]) => files < 1).map(([name]) => name)).toEqual([]);
});
