/**
 * Runs the benchmarks, `test/perf/*.bench.ts`, each in a process of its own; names on the command line choose some.
 * They are typed against `src`, but what they import from there is loaded from `dist`: compiled code is measured.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'test', 'perf');
const loader = pathToFileURL(join(root, '.ci', 'bench-loader.mjs')).href;
const chosen = process.argv.slice(2);

const benches = (existsSync(folder) ? readdirSync(folder) : [])
  .filter((name) => name.endsWith('.bench.ts'))
  .filter((name) => chosen.length === 0 || chosen.some((part) => name.includes(part)))
  .sort();

if (benches.length === 0) {
  console.error(`no benchmark in test/perf${chosen.length > 0 ? ` is named ${chosen}` : ''}`);
  process.exit(1);
}

for (const bench of benches) {
  console.log(`\n# ${bench}`);
  const args = ['--expose-gc', '--import', loader, join(folder, bench)];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
