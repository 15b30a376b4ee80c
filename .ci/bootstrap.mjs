/**
 * Makes a checkout ready to run: installs the packages and compiles `src`, each only when it is out of date. `npm start`, `npm test` and `npm run bench` run it
 * first, so that a fresh clone needs no other step.
 *
 * It uses only Node itself, on any platform. `--install` stops after the packages.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { isBuilt, modifiedAt } from './built.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const inRoot = (...names) => join(root, ...names);

function runOrExit(what, command, args, options = {}) {
  console.error(`evenkeel: ${what}`);
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options });
  if (status === 0) return;
  console.error(`evenkeel: ${what}: failed${error ? ` (${error.message})` : ''}`);
  process.exit(status ?? 1);
}

function requireNode() {
  const wanted = JSON.parse(readFileSync(inRoot('package.json'), 'utf8')).engines.node;
  const minimum = wanted.replace('>=', '').split('.').map(Number);
  const actual = process.versions.node.split('.').map(Number);
  const different = minimum.findIndex((part, index) => part !== actual[index]);
  if (different === -1 || actual[different] > minimum[different]) return;
  console.error(`evenkeel: expected Node ${wanted}, found ${process.versions.node}`);
  process.exit(2);
}

function install() {
  const installedAt = modifiedAt(inRoot('node_modules', '.package-lock.json'));
  // npm writes the two files one after the other, in an order that may vary.
  if (installedAt + 1_000 >= modifiedAt(inRoot('package-lock.json'))) return;
  const npm = process.env.npm_execpath;
  const what = 'installing the packages (npm ci), which may take some minutes';
  if (npm?.endsWith('npm-cli.js')) runOrExit(what, process.execPath, [npm, 'ci']);
  else runOrExit(what, 'npm ci', [], { shell: true });
}

function build() {
  if (isBuilt()) return;
  runOrExit('compiling src to dist', process.execPath, [inRoot('.ci', 'build.mjs')]);
}

requireNode();
install();
if (!process.argv.includes('--install')) build();
