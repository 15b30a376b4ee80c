import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { DataError } from '../../domain/index.js';
import type { PageParts } from '../../page/index.js';

/** Where the bundled scripts lie: with the program that runs, whatever its folder is called; for tests, which run its sources, with the compiled one. */
const FOLDERS = ['../../page/', '../../../dist/page/'].map(
  (name) => new URL(name, import.meta.url),
);
const SCRIPT = 'page.script.txt';

/**
 * Reads what every page has in common.
 *
 * @throws {DataError} `E_PAGE_PARTS` where the program was not built.
 */
export async function readPageParts(): Promise<PageParts> {
  const folder = FOLDERS.find((one) => existsSync(new URL(SCRIPT, one))) ?? FOLDERS.at(-1);
  const read = async (name: string): Promise<string> => {
    try {
      return await readFile(new URL(name, folder), 'utf8');
    } catch (cause: unknown) {
      throw new DataError(
        'E_PAGE_PARTS',
        'the scripts of report pages are missing: build the program with npm run build',
        { cause },
      );
    }
  };
  return { script: await read(SCRIPT), style: await read('page.style.txt') };
}
