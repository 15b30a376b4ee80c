/**
 * Plays the random replays of a seed, and prints one line of JSON for each: what it was, its fills, and the hashes of what came of it.
 * `.ci/compare-builds.mjs` runs it over two builds. `SEED RUNS`
 */
import { createHash } from 'node:crypto';
import fc from 'fast-check';

import { buildResult, writeResult } from '../../src/report/index.js';
import { MemoryJournal } from '../../src/runtime/index.js';
import { playReplay, randomReplays, type RandomReplay } from '../support/random-replays.js';
import { FailingTrader, RANDOM_STRATEGIES } from '../support/random-strategies.js';

const [seed, runs] = process.argv.slice(2).map(Number);
const replays = randomReplays(undefined, [...RANDOM_STRATEGIES, FailingTrader]);

for (const replay of fc.sample(replays, { seed: seed ?? 1, numRuns: runs ?? 1 }))
  console.log(JSON.stringify({ strategy: replay.strategyClass.name, ...(await play(replay)) }));

/** Of a run that fails, its error is what came of it. */
async function play(replay: RandomReplay): Promise<object> {
  const journal = new MemoryJournal();
  const lines: unknown[] = [];
  const write = (...line: readonly unknown[]): void => void lines.push(line);
  const log = { debug: write, info: write, warn: write };
  try {
    const curve = replay.run.keepCloses ? 'candle' : 'daily';
    // Where nobody keeps the events, slices pass without any.
    const eventless = buildResult(await playReplay(replay), { curve });
    const result = buildResult(await playReplay(replay, { journal, log }), { curve });
    const { orders, fills, equity, equityCurve } = result;
    return {
      fills: fills.length,
      hashes: {
        draw: hash(replay.run),
        orders: hash(orders),
        fills: hash(fills),
        equity: hash([equity, equityCurve]),
        result: hash(writeResult(result)),
        eventless: hash(writeResult(eventless)),
        decisions: hash(journal.entries),
        heard: hash(lines),
      },
    };
  } catch (error) {
    const failure = String(error);
    return { fills: 0, failure, hashes: { draw: hash(replay.run), failure: hash(failure) } };
  }
}

/** SHA-256 of a text, or of a value as JSON in which exact amounts are their integers and maps their entries. */
function hash(value: unknown): string {
  const text = JSON.stringify(value, (_key, member: unknown) => {
    if (member instanceof Map) return [...member];
    return typeof member === 'bigint' ? String(member) : member;
  });
  return createHash('sha256').update(text).digest('hex');
}
