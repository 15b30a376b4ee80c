import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** A tree of source files: path to text. */
export type Tree = Readonly<Record<string, string>>;

/** The root of the repository. */
export const ROOT = resolve(import.meta.dirname, '../../..');

/** Writes a tree to a new temporary folder, with copies of our configuration and a link to our packages. */
export function plantTree(tree: Tree, configuration: readonly string[]): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'evenkeel-planted-')));
  for (const [file, text] of Object.entries(tree)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), `${text}\n`);
  }
  for (const file of configuration) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    copyFileSync(join(ROOT, file), join(folder, file));
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  return folder;
}

/** Removes a planted tree; the packages it links to stay. */
export function removeTree(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
