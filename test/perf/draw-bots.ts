/**
 * Draws bots as files, in the form a user has them: one folder each with `bot.yaml` and `data/`, and the strategies beside them.
 * `.ci/compare-builds.mjs` runs them with two builds. Arguments: `FOLDER SEED RUNS`
 */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';

import { openArchive } from '../../src/archive/index.js';
import { botFile } from '../support/bot-file.js';
import { randomReplays, type RandomReplay } from '../support/replays/random-replays.js';
import { FailingTrader, RANDOM_STRATEGIES } from '../support/strategies/random-strategies.js';

const STRATEGIES = ['random-strategies.ts', 'random-trader.ts'] as const;

const [folder = '', seed = '1', runs = '1'] = process.argv.slice(2);
const replays = randomReplays(undefined, [...RANDOM_STRATEGIES, FailingTrader]);

for (const name of STRATEGIES) {
  const file = fileURLToPath(new URL(`../support/${name}`, import.meta.url));
  copyFileSync(file, path.join(folder, name));
}
const draws = fc.sample(replays, { seed: Number(seed), numRuns: Number(runs) });
for (const [index, replay] of draws.entries())
  await writeBot(path.join(folder, String(index)), replay);

async function writeBot(own: string, { run, strategyClass }: RandomReplay): Promise<void> {
  const { config, market, rules } = run;
  mkdirSync(own);
  const archive = openArchive(path.join(own, 'data'));
  const merge = { source: 'drawn', volumeUnit: 'base' } as const;
  for (const series of [...market.candles, ...market.finer]) await archive.merge(series, merge);
  for (const series of market.marks) await archive.mergeMarks(series, merge);
  for (const [instrumentId, columns] of market.funding)
    await archive.mergeFunding(instrumentId, columns, merge);
  for (const [instrumentId, dated] of rules) await archive.mergeRules(instrumentId, dated, merge);
  const text = botFile(config, {
    strategy: path.join('..', STRATEGIES[0]),
    archive: 'data',
    exportName: strategyClass.name,
  });
  writeFileSync(path.join(own, 'bot.yaml'), text);
}
