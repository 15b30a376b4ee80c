/**
 * Checks the imports of `src` and `strategies` against the rules in .dependency-cruiser.cjs, and prints the number of
 * modules. It fails if no module was read. An argument names another folder to check, for tests.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { cruise } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';

const root = fileURLToPath(new URL('..', import.meta.url));
const { options, forbidden } = createRequire(import.meta.url)('../.dependency-cruiser.cjs');

const baseDir = resolve(process.argv[2] ?? root);
const folders = ['src', 'strategies'].filter((folder) => existsSync(resolve(baseDir, folder)));
const { output } = await cruise(
  folders,
  { ...options, baseDir, validate: true, ruleSet: { forbidden }, outputType: undefined },
  options.enhancedResolveOptions,
  { tsConfig: extractTSConfig(options.tsConfig.fileName) },
);
const { violations } = output.summary;
for (const { rule, from, to, cycle } of violations) {
  const path = cycle ? cycle.map(({ name }) => name) : from === to ? [] : [to];
  console.log(`  ${rule.severity} ${rule.name}: ${[from, ...path].join(' → ')}`);
}
const broken = new Set(violations.map(({ rule }) => rule.name));
for (const { name, comment } of forbidden) {
  if (broken.has(name) && comment) console.log(`  (${name}: ${comment})`);
}

const read = output.modules.filter(({ source }) => /^(src|strategies)\//.test(source)).length;
console.log(`${read} modules of src and strategies read, ${violations.length} violations`);
if (read === 0) console.error('no module was read: the checker is blind');
process.exitCode = read === 0 || violations.length > 0 ? 1 : 0;
