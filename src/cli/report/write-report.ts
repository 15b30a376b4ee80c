import type { PageData } from '../../page/index.js';
import type { CliContext } from '../cli-context.js';
import { writeOutput } from '../write-output.js';
import { readPageParts } from './page-parts.js';

/** Writes a page as one file, completely or not at all. */
export async function writeReport(
  file: string,
  data: PageData,
  context: CliContext,
): Promise<void> {
  const { titleOf, writePage } = await import('../../page/index.js');
  const parts = await readPageParts();
  await writeOutput(file, writePage(data, titleOf(data), parts), context);
}
