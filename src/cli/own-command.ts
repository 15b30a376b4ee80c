import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGE = 'node_modules/evenkeel';

/**
 * How a user calls this program in a folder, for lines that they are to copy: as an installed package, from its clone, or by its path from elsewhere.
 *
 * @param folder - absolute. `root`: folder of the program, a clone or an installed package.
 */
export function ownCommand(folder: string, root = OWN_ROOT): string {
  if (isInstalled(folder, root)) return 'npx evenkeel';
  const main = path.join(root, 'dist', 'cli', 'main.js');
  const isBelow = !path.relative(root, folder).startsWith('..');
  return `node ${quoted(isBelow ? path.relative(folder, main) : main)}`;
}

/**
 * The command that lets the modules of a folder import `evenkeel` and `evenkeel/testing`; undefined if they can. The program is named by its folder, because
 * others could publish a package of its name.
 */
export function ownInstall(folder: string, root = OWN_ROOT): string | undefined {
  const isOwn = folder === root || folder.startsWith(root + path.sep);
  return isOwn || isInstalled(folder, root) ? undefined : `npm install ${quoted(root)}`;
}

/** The folder with `package.json`, of the running program or, in tests, of its sources. */
const OWN_ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');

/** Whether Node finds this very program from the folder: a copy in `node_modules`, or a link to the clone. */
function isInstalled(folder: string, root: string): boolean {
  const place = path.join(folder, PACKAGE);
  if (existsSync(place)) return realpathSync(place) === realpathSync(root);
  const above = path.dirname(folder);
  return above !== folder && isInstalled(above, root);
}

function quoted(word: string): string {
  return /^[\w./:@~\\-]+$/.test(word) ? word : JSON.stringify(word);
}
