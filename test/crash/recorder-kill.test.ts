import { spawn } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';

import { lowerBound, openArchive, sliceColumns } from '../../src/archive/index.js';
import { DAY_MS, MINUTE_MS, type EpochMs } from '../../src/domain/index.js';
import { createRandom } from '../../src/engine/index.js';
import { rowsOf } from '../support/candle-columns.js';
import {
  FIRST_CANDLE,
  FUTURES_ID,
  SPOT_ID,
  testCandles,
} from '../support/local-exchange/test-exchange.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const KILLS = Number(process.env['EVENKEEL_RECORDER_KILLS'] ?? 2);
const SEED = Number(process.env['EVENKEEL_SEED'] ?? 32);
const PROGRAM = fileURLToPath(new URL('record-process.ts', import.meta.url));
const LOADER = pathToFileURL(
  fileURLToPath(new URL('../../.ci/bench-loader.mjs', import.meta.url)),
).href;
const START: EpochMs = FIRST_CANDLE + 2 * DAY_MS;
/** Longest absence in minutes. The venue serves its newest 300 candles, so it leaves no gap. */
const LONGEST_AWAY = 200;

interface Life {
  readonly folder: string;
  readonly start: EpochMs;
  /** Time from its first output to the signal, in ms. */
  readonly lifeMs: number;
  readonly signal: 'SIGKILL' | 'SIGTERM';
  /** The minute from which on it dies within a write. @defaultValue never */
  readonly deadly?: number | undefined;
}

/** Runs a recorder in a process of its own. Returns its last market time, its exit code or signal, and its output. */
async function live({ folder, start, lifeMs, signal, deadly }: Life): Promise<{
  readonly time: EpochMs;
  readonly end: number | string | null;
  readonly said: readonly string[];
}> {
  const places = [PROGRAM, folder, String(start), deadly === undefined ? '' : String(deadly)];
  const child = spawn(process.execPath, ['--import', LOADER, ...places]);
  let [said, errors] = ['', ''];
  let timer: NodeJS.Timeout | undefined;
  child.stderr.on('data', (text: Buffer) => (errors += text.toString()));
  child.stdout.on('data', (text: Buffer) => {
    said += text.toString();
    // The start takes time of the machine, not of the market.
    timer ??= setTimeout(() => child.kill(signal), lifeMs);
  });
  const end = await new Promise<number | string | null>((resolve) => {
    child.once('close', (code, by) => {
      resolve(by ?? code);
    });
  });
  clearTimeout(timer);
  expect(errors).toBe('');
  const lines = said.trim().split('\n');
  const times = lines.filter((line) => /^\d+$/.test(line)).map(Number);
  return { time: times.at(-1) ?? start, end, said: lines };
}

describe('a recorder whose process is killed', () => {
  it(
    `stores every candle of the venue after ${String(KILLS)} kills, half of them during a write`,
    { timeout: 120_000 + KILLS * 20_000 },
    async () => {
      const random = createRandom(SEED);
      const folder = await temporaryFolder();
      let start = START;
      for (let kill = 0; kill < KILLS; kill += 1) {
        const deadly = kill % 2 === 0 ? undefined : Math.floor(random() * 60);
        const lifeMs = deadly === undefined ? 200 + random() * 3_000 : 60_000;
        const { time, end } = await live({ folder, start, lifeMs, signal: 'SIGKILL', deadly });
        expect(end).toBe('SIGKILL');
        start = time + (2 + Math.floor(random() * LONGEST_AWAY)) * MINUTE_MS;
      }
      const last = await live({ folder, start, lifeMs: 1_000, signal: 'SIGTERM' });

      expect(last.end).toBe(0);
      const archive = openArchive(folder);
      const market = testCandles();
      for (const id of [SPOT_ID, FUTURES_ID]) {
        expect(last.said).toContain(`${id} 1min 0`);
        const stored = await archive.read(id, '1min', { verify: true });
        const from = lowerBound(market.openTime, START - 299 * MINUTE_MS);
        const to = lowerBound(market.openTime, last.time - 2 * MINUTE_MS);
        const shown = sliceColumns(market, from, to);
        const volume = shown.volume.map((base) =>
          id === SPOT_ID ? base : Math.floor(base * 10_000),
        );
        const { length } = shown.openTime;
        expect(rowsOf(sliceColumns(stored, 0, length))).toEqual(rowsOf({ ...shown, volume }));
        expect(stored.openTime.length - length).toBeLessThan(4);
      }
    },
  );
});
