import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readJournal, verifyJournal, type Epoch } from '../../src/journal/index.js';
import { botFolder } from '../support/cli/bot-folder.js';
import { runCommand } from '../support/cli/command-runner.js';
import { digitPlaces, drawnBelow, withFlipped } from '../support/bit-flips.js';

const FLIPS = 2_000;
const SEED = 11;
const breathe = (): Promise<void> => Promise.resolve();

interface Told {
  readonly epochs: readonly Epoch[];
  readonly entries: readonly unknown[];
}

/** All data that a reader gives. */
async function toldBy(file: string): Promise<Told> {
  const reader = await readJournal(file);
  try {
    const epochs = reader.epochs();
    return { epochs, entries: epochs.map((epoch) => [...reader.entries(epoch)]) };
  } finally {
    reader.close();
  }
}

describe('a flipped bit in a journal', () => {
  it('is detected, or changes nothing that a reader receives', async () => {
    const folder = await botFolder();
    const made = await runCommand(folder, [
      'backtest',
      'bot.yaml',
      ...['--from', '2025-01-04', '--to', '2025-01-09', '--journal', 'run.journal'],
    ]);
    expect(made.exitCode, made.stderr).toBe(0);
    const written = path.join(folder, 'run.journal');
    const right = await toldBy(written);
    const bytes = await readFile(written);
    const digits = digitPlaces(bytes, 100);
    const below = drawnBelow(SEED);
    const counts = { found: 0, harmless: 0 };
    const other: string[] = [];
    const file = path.join(folder, 'flipped.journal');
    for (let flip = 0; flip < FLIPS; flip += 1) {
      // The first half of the flips hits any bit. The second half hits the low bits of digits, so that other digits result.
      const isAimed = flip >= FLIPS / 2;
      const place = isAimed ? (digits[below(digits.length)] ?? 0) : below(bytes.length);
      const bit = isAimed ? below(3) : below(8);
      await writeFile(file, withFlipped(bytes, place, bit));
      const isFound = await verifyJournal(file, { breathe }).then(
        ({ damage }) => damage.length > 0,
        () => true,
      );
      if (isFound) {
        counts.found += 1;
        continue;
      }
      const told = await toldBy(file);
      if (isDeepStrictEqual(told, right)) counts.harmless += 1;
      else other.push(`bit ${String(bit)} of byte ${String(place)}`);
    }

    console.log(
      `${String(FLIPS)} flips of a journal of ${String(bytes.length)} bytes, ${String(digits.length)} of them digits of values: ${String(counts.found)} found, ${String(counts.harmless)} without effect, ${String(other.length)} silently other`,
    );
    expect(other).toEqual([]);
  }, 900_000);
});
