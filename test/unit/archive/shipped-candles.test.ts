import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openArchive } from '../../../src/archive/index.js';
import { parseInstrumentId } from '../../../src/domain/index.js';
import { runDataVerb } from '../../support/run-data-verb.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const SHIPPED = join(ROOT, 'backtest', 'data');

/** The commands of the first shell block of backtest/README.md, as words behind `evenkeel data`. */
async function documentedCommands(): Promise<readonly (readonly string[])[]> {
  const readme = await readFile(join(ROOT, 'backtest', 'README.md'), 'utf8');
  const block = /```sh\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  const lines = block.replaceAll('\\\n', ' ').trim().split('\n');
  return lines.map((line) => line.trim().split(/\s+/).slice(2));
}

/** SHA-256 of every file below a folder, by its path inside it. */
async function hashesBelow(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const hashes: Record<string, string> = {};
  for (const entry of entries.filter((candidate) => candidate.isFile())) {
    const path = join(entry.parentPath, entry.name);
    hashes[relative(folder, path)] = createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
  }
  return hashes;
}

describe('the candles in backtest/data', () => {
  it(
    'are made again, byte for byte, by the commands in backtest/README.md',
    { timeout: 120_000 },
    async () => {
      const folder = await temporaryFolder();

      for (const words of await documentedCommands()) {
        expect(await runDataVerb(folder, words)).toMatchObject({ exitCode: 0, stderr: '' });
      }

      const made = await hashesBelow(join(folder, 'backtest', 'data'));
      expect(made).toEqual(await hashesBelow(SHIPPED));
      expect(Object.keys(made)).toHaveLength(8);
    },
  );

  it('are a year of hours for three pairs and a month of minutes for one', async () => {
    const entries = await openArchive(SHIPPED).list();

    const rows = entries.map((entry) =>
      entry.status === 'usable'
        ? `${entry.info.instrumentId} ${entry.info.interval} ${String(entry.info.rows)} rows, ${String(entry.info.gaps)} gaps`
        : entry.error.message,
    );
    expect(rows).toEqual([
      'spot:BTCUSDT 1min 43200 rows, 0 gaps', // 30 days of 1,440 minutes
      'spot:BTCUSDT 1h 8760 rows, 0 gaps', // 365 days of 24 hours
      'spot:ETHUSDT 1h 8760 rows, 0 gaps',
      'spot:SOLUSDT 1h 8760 rows, 0 gaps',
    ]);
  });

  it('agree: the hours of June are the sums of its minutes', async () => {
    const archive = openArchive(SHIPPED);
    const btc = parseInstrumentId('spot:BTCUSDT');

    const minutes = await archive.read(btc, '1min');
    const hours = await archive.read(btc, '1h', { from: Date.UTC(2025, 5, 1) });

    expect(hours.openTime).toHaveLength(720);
    for (let hour = 0; hour < 720; hour += 1) {
      const [start, end] = [hour * 60, hour * 60 + 60];
      const steps = minutes.volume
        .subarray(start, end)
        .reduce((sum, volume) => sum + Math.round(volume * 1e5), 0);
      expect({
        time: hours.openTime[hour],
        open: hours.open[hour],
        high: hours.high[hour],
        low: hours.low[hour],
        close: hours.close[hour],
        volume: hours.volume[hour],
      }).toEqual({
        time: minutes.openTime[start],
        open: minutes.open[start],
        high: Math.max(...minutes.high.subarray(start, end)),
        low: Math.min(...minutes.low.subarray(start, end)),
        close: minutes.close[end - 1],
        volume: steps / 1e5,
      });
    }
  });
});
