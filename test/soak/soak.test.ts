import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../src/domain/index.js';
import { faultRuleSchema } from '../../src/local-exchange/faults/fault-rule.js';
import { KEPT_RECORDS } from '../../src/assembly/bot/begin-engine.js';
import { SoakRig, type Quarter } from './soak-rig.js';

const SEED = Number(process.env['SOAK_SEED'] ?? '1');
const MINUTES = Number(process.env['SOAK_MINUTES'] ?? '1440');

/** Candles come every minute. Connections are refused for three minutes, the next try may come half a minute later, and the rig looks once a minute. */
const MAX_SILENCE_MS = 10 * MINUTE_MS;
/**
 * Heap that the second half of a run may add: compiled code and caches of the runtime, and kept records of 850 bytes each, as
 * measured on Node 20. Half a day makes some 40,000 events and more calls, so a leak of 200 bytes with each of them exceeds it.
 */
const BYTES_PER_RECORD = 1_024;
const SLACK_BYTES = 3 * 1024 * 1024;
/** Limit for orders, fills and refusals each. Some working orders come on top. */
const MOST_RECORDS = 2 * KEPT_RECORDS + 100;

describe('a bot on spot and futures under constant faults', () => {
  let rig: SoakRig;
  beforeAll(async () => {
    rig = await SoakRig.open(SEED);
  });
  afterAll(() => rig.close());

  it(
    `keeps running and agrees with the venue in the end (${String(MINUTES)} minutes, seed ${String(SEED)})`,
    { timeout: 300_000 + MINUTES * 3_000 },
    async () => {
      await rig.ban();
      const figures = await rig.run(MINUTES, (minute, vitals) => {
        console.log(minute, JSON.stringify(vitals));
      });
      console.log(JSON.stringify(figures, undefined, 1));
      const { lost, doubled, balances, positions, reasons, errors } = figures;
      expect({ lost, doubled, balances, positions, reasons, errors }).toEqual({
        lost: [],
        doubled: [],
        balances: [],
        positions: [],
        reasons: [],
        errors: '',
      });
      const kinds = faultRuleSchema.options.map(({ shape }) => shape.fault.value);
      expect(Object.keys(figures.faults).toSorted()).toEqual(kinds.toSorted());
      expect(figures.longestSilenceMs).toBeLessThan(MAX_SILENCE_MS);
      for (const { orders, fills, refusals } of figures.quarters)
        expect(Math.max(orders, fills, refusals)).toBeLessThan(MOST_RECORDS);
      const [, half, , whole] = figures.quarters;
      expect((whole?.heapBytes ?? NaN) - (half?.heapBytes ?? NaN)).toBeLessThan(
        SLACK_BYTES + BYTES_PER_RECORD * (recordsOf(whole) - recordsOf(half)),
      );
      expect(figures.replayed.map(({ kind }) => kind)).toEqual(
        figures.replayed.map(() => 'identical'),
      );
    },
  );
});

function recordsOf(quarter: Quarter | undefined): number {
  if (quarter === undefined) return NaN;
  return quarter.orders + quarter.fills + quarter.refusals;
}
