import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { DataError } from '../../domain/index.js';
import type { PageParts } from '../../page/index.js';

/** Folders of the bundled scripts: in the running program, or, for tests that run the sources, in the compiled program. */
const FOLDERS = ['../../page/', '../../../dist/page/'].map(
  (name) => new URL(name, import.meta.url),
);
const SCRIPT = 'page.script.txt';

/**
 * Reads the parts that every page has in common.
 *
 * @throws {DataError} `E_PAGE_PARTS` if the program was not built.
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
