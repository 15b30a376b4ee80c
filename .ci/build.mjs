/**
 * Compiles `src` to `dist-modules`, module by module, for benchmarks. Bundles these into `dist`, the package, with the declarations, the scripts of
 * report pages and the bill of materials. Removes old files from both, and makes the command line executable. A type error leaves both unchanged. The
 * stamp has the start time of the compiler, so that a file saved during the build counts as newer.
 */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'src');
const modules = join(root, 'dist-modules');
const output = join(root, 'dist');
const stamp = join(root, 'node_modules', '.cache', 'evenkeel', 'built');
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');

/** The bill of materials of the package. */
const SBOM = 'sbom.cdx.json';

const startedAt = new Date();
rmSync(stamp, { force: true });
const { status } = spawnSync(
  process.execPath,
  [compiler, '-p', join(root, 'tsconfig.build.json'), '--noEmitOnError'],
  { cwd: root, stdio: 'inherit' },
);
if (status !== 0) process.exit(status ?? 1);

/** Files below a folder, with paths relative to it. */
const filesOf = (folder) =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    : [];

function removeOthers(folder, isMade) {
  for (const name of filesOf(folder)) if (!isMade(name)) rmSync(join(folder, name));
}

removeOthers(modules, (name) => existsSync(join(source, name.replace(/(?:\.d\.ts|\.js)$/, '.ts'))));
const { bundle } = await import('./bundle.mjs');
await import('./build-page.mjs');
const declarations = filesOf(modules).filter((name) => name.endsWith('.d.ts'));
for (const name of declarations) cpSync(join(modules, name), join(output, name));
const page = ['page.script.txt', 'page.style.txt'].map((name) => join('page', name));
const { readSbom } = await import('./sbom.mjs');
const bundled = await bundle();
writeFileSync(join(output, SBOM), readSbom(root));
const made = new Set([...bundled.map(normalize), ...declarations, ...page, SBOM]);
removeOthers(output, (name) => made.has(name));

const main = join(output, 'cli', 'main.js');
if (existsSync(main)) chmodSync(main, 0o755);
mkdirSync(dirname(stamp), { recursive: true });
writeFileSync(stamp, '');
utimesSync(stamp, startedAt, startedAt);
