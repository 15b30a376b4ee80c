/**
 * The cost of judging a search: 1,000 trials of 1,000 days. The probability of overfitting over the 12,870 halves of 16 blocks, the reality
 * check over 1,000 draws, and the effective number of trials. TRIALS=N and DAYS=N set another size.
 */
import { createRandom } from '../../src/engine/index.js';
import { effectiveTrials } from '../../src/research/index.js';
import { checkReality, probabilityOfOverfitting } from '../support/research/without-pauses.js';
import { measure, milliseconds } from './measure.js';

const TRIALS = Number(process.env['TRIALS'] ?? 1_000);
const DAYS = Number(process.env['DAYS'] ?? 1_000);

const random = createRandom(1);
const returns = {
  days: DAYS,
  columns: Array.from({ length: TRIALS }, () =>
    Float64Array.from({ length: DAYS }, () => (random() - 0.5) / 50),
  ),
};
const size = `${String(TRIALS)} trials of ${String(DAYS)} days`;
const timed = (name: string, work: () => unknown): Parameters<typeof measure>[0][number] => ({
  name: `${name}, ${size}`,
  unit: 'ms',
  better: 'less',
  run: () => milliseconds(work),
});

await measure([
  timed('overfitting, 16 blocks', () => probabilityOfOverfitting(returns)),
  timed('reality check, 1,000 draws', () =>
    checkReality(returns, { random: createRandom(1), meanBlock: 5 }),
  ),
  timed('effective number', () => effectiveTrials(returns)),
]);
