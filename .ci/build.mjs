/**
 * Compiles `src` to `dist`, bundles the scripts of report pages, removes what no source file stands behind any more, and makes the command line executable.
 * A type error leaves `dist` as it was. The stamp carries the time at which the compiler started to read,
 * so that a file saved meanwhile counts as newer.
 */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'src');
const output = join(root, 'dist');
const stamp = join(root, 'node_modules', '.cache', 'evenkeel', 'built');
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');

const startedAt = new Date();
rmSync(stamp, { force: true });
const { status } = spawnSync(
  process.execPath,
  [compiler, '-p', join(root, 'tsconfig.build.json'), '--noEmitOnError'],
  { cwd: root, stdio: 'inherit' },
);
if (status !== 0) process.exit(status ?? 1);

await import('./build-page.mjs');

/** What is made of no single source file. */
const made = ['page/page.script.txt', 'page/page.style.txt'].map((name) => join(output, name));

for (const entry of readdirSync(output, { withFileTypes: true, recursive: true })) {
  const path = join(entry.parentPath, entry.name);
  const origin = join(source, relative(output, path));
  const sources = [origin, origin.replace(/\.js$/, '.ts'), origin.replace(/\.d\.ts$/, '.ts')];
  if (!made.includes(path) && !sources.some((candidate) => existsSync(candidate))) {
    rmSync(path, { recursive: true, force: true });
  }
}

const main = join(output, 'cli', 'main.js');
if (existsSync(main)) chmodSync(main, 0o755);
mkdirSync(dirname(stamp), { recursive: true });
writeFileSync(stamp, '');
utimesSync(stamp, startedAt, startedAt);
