/** Whether the compiled files are as new as their sources. Scripts that run them ask here first. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const inRoot = (...names) => join(root, ...names);

/** Time of the last change, or -Infinity without a file. */
export const modifiedAt = (path) => (existsSync(path) ? statSync(path).mtimeMs : -Infinity);

/** The newest change below a folder. Folders count too: removing a file changes only its folder. */
function newestIn(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true }).reduce(
    (newest, entry) => Math.max(newest, modifiedAt(join(entry.parentPath, entry.name))),
    modifiedAt(folder),
  );
}

/** Settings of the compiler, and the scripts that make `dist`. */
const INPUTS = [
  ...['package-lock.json', 'tsconfig.json', 'tsconfig.build.json'],
  ...['build.mjs', 'build-page.mjs', 'bundle.mjs', 'sbom.mjs'].map((name) => join('.ci', name)),
];

/** Whether `dist` and `dist-modules` are newer than the last change of `src` and of what compiles and bundles it. */
export function isBuilt() {
  const inputs = INPUTS.map((name) => inRoot(name));
  const changedAt = Math.max(newestIn(inRoot('src')), ...inputs.map(modifiedAt));
  const builtAt = modifiedAt(inRoot('node_modules', '.cache', 'evenkeel', 'built'));
  return existsSync(inRoot('dist', 'index.js')) && builtAt > changedAt;
}
