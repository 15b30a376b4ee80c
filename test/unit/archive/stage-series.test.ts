import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isThere } from '../../../src/archive/files/data-file.js';
import { seriesPaths } from '../../../src/archive/files/layout.js';
import { makeFolder } from '../../../src/archive/files/make-folder.js';
import { StagedSeries } from '../../../src/archive/stored/stage-series.js';
import { parseInstrumentId } from '../../../src/domain/index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const key = { instrumentId: parseInstrumentId('spot:BTCUSDT'), interval: '1min' } as const;
const pathsIn = (archive: string) => seriesPaths(archive, key);

describe('StagedSeries', () => {
  it('takes nothing from the folder that a crashed process with the same number left', async () => {
    const archive = await temporaryFolder();
    // In a container, each process has the same number.
    for (let stage = 1; stage <= 50; stage += 1) {
      const left = join(archive, `.import-${String(process.pid)}-${String(stage)}`);
      await makeFolder(dirname(pathsIn(left).arrow));
      await writeFile(pathsIn(left).arrow, 'rows of another import');
    }

    const staged = await StagedSeries.begin(archive, pathsIn);

    expect(await isThere(pathsIn(staged.directory).arrow)).toBe(false);
  });
});
