import { readFile } from 'node:fs/promises';
import { DataError } from '../../domain/index.js';
import type { PageParts } from '../../page/index.js';

/** Where the bundled scripts lie: beside the compiled program, also for tests, which run its sources. */
const FOLDER = new URL('../../../dist/page/', import.meta.url);

/**
 * Reads what every page has in common.
 *
 * @throws {DataError} `E_PAGE_PARTS` where the program was not built.
 */
export async function readPageParts(): Promise<PageParts> {
  const read = async (name: string): Promise<string> => {
    try {
      return await readFile(new URL(name, FOLDER), 'utf8');
    } catch (cause: unknown) {
      throw new DataError(
        'E_PAGE_PARTS',
        'the scripts of report pages are missing: build the program with npm run build',
        { cause },
      );
    }
  };
  return { script: await read('page.script.txt'), style: await read('page.style.txt') };
}
