import { describe } from 'vitest';
import {
  createMemoryArchive,
  openArchive,
  withMadeSeries,
  type Archive,
} from '../../../src/archive/index.js';
import { describeArchive, type ArchiveContent } from '../../support/describe-archive.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const SOURCE = { source: 'a.csv' };

async function stored(content: readonly ArchiveContent[]): Promise<Archive> {
  const archive = openArchive(await temporaryFolder());
  for (const held of content)
    if (held.kind === 'funding') await archive.mergeFunding(held.instrumentId, held.rates, SOURCE);
    else if (held.kind === 'mark') await archive.mergeMarks(held, SOURCE);
    else await archive.merge(held, { ...SOURCE, volumeUnit: 'base' });
  return archive;
}

const inMemory = async (content: readonly ArchiveContent[]): Promise<Archive> =>
  createMemoryArchive(
    content.flatMap((held) => (held.kind === 'funding' ? [] : [held])),
    new Map(
      content.flatMap((held) =>
        held.kind === 'funding' ? [[held.instrumentId, held.rates] as const] : [],
      ),
    ),
  );

describe('archive in a folder', () => {
  describeArchive({ create: stored });
});

describe('archive in memory', () => {
  describeArchive({ create: inMemory });
});

describe('archive with made series', () => {
  describeArchive({ create: async (content) => withMadeSeries(await stored(content)) });
});
