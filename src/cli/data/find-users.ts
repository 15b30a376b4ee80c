import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { InstrumentId, Interval } from '../../domain/index.js';
import { loadConfig } from '../../config/index.js';
import type { CliContext } from '../cli-context.js';

/** Folders with files of bots, relative to the working folder. */
const FOLDERS = ['.', 'config'];

interface UsedSeries {
  /** Every bot of the instrument uses mark prices and funding rates. */
  readonly kind: 'candles' | 'mark' | 'funding';
  readonly instrumentId: InstrumentId;
  readonly interval?: Interval | undefined;
}

/** Lists the bots' files of the working folder that replay or warm up with a series of an archive. Files that are no bots' files are skipped. */
export async function findUsers(
  { kind, instrumentId, interval }: UsedSeries,
  archive: string,
  { cwd }: Pick<CliContext, 'cwd'>,
): Promise<readonly string[]> {
  const users: string[] = [];
  for (const folder of FOLDERS) {
    const names = await readdir(resolve(cwd, folder)).catch(() => []);
    for (const name of names.filter((each) => /\.ya?ml$/.test(each)).sort()) {
      const file = join(folder, name);
      const loaded = await loadConfig({ file, cwd }).catch(() => undefined);
      if (loaded === undefined) continue;
      const { instruments, simulation } = loaded.config;
      const isNamed = instruments.some(
        (each) =>
          each.instrumentId === instrumentId &&
          (kind !== 'candles' || interval === undefined || each.intervals.includes(interval)),
      );
      if (isNamed && simulation?.archive === archive) users.push(file);
    }
  }
  return users;
}
