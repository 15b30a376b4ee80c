import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createHeldPrices } from '../../../../src/assembly/market/held-prices.js';
import {
  absFixed,
  CandleRows,
  FIXED_ONE,
  formatFixed,
  parseFixed,
  type Fixed,
  type Instrument,
} from '../../../../src/domain/index.js';
import { buildResult } from '../../../../src/report/index.js';
import { enterLong, exit } from '../../../../src/strategy/index.js';
import { OrderManagerBench } from '../../../support/engine/order-manager-bench.js';
import { aSpot, START } from '../../../support/engine/engine.js';
import { SPOT } from '../../../support/risk/builders.js';
import { aRunRecord, dailyEquity } from '../../../support/run-records.js';
import { lawRuns } from '../../../support/runs.js';

const STEP = parseFixed('0.001');
const COIN = aSpot('BNB', 'USDT');
const INSTRUMENTS = [SPOT, COIN];
const NO_CANDLES = {
  ...{ openTime: new Float64Array(), open: new Float64Array(), high: new Float64Array() },
  ...{ low: new Float64Array(), close: new Float64Array(), volume: new Float64Array() },
};

const move = fc.record({
  instrument: fc.constantFrom(...INSTRUMENTS),
  price: fc.integer({ min: 50, max: 200 }),
  coinPrice: fc.integer({ min: 50, max: 200 }),
  steps: fc.integer({ min: 100, max: 2_000 }),
  /** Of the sale of what is held. */
  share: fc.constantFrom('1', '0.5'),
  /** In ten-thousandths of the coin, a tenth of a step; a rebate is negative. */
  fee: fc.integer({ min: -300, max: 3_000 }),
});
type Move = typeof move extends fc.Arbitrary<infer Of> ? Of : never;

/** A bot that enters and leaves two pairs, and pays fees in the base of the second wherever the venue can take them there. */
class Payer {
  readonly bench = new OrderManagerBench({
    instruments: INSTRUMENTS.map((instrument) => ({ instrument, intervals: ['1min'] })),
    balances: { USDT: '100000', BNB: '0.5' },
  });
  readonly #portfolio = this.bench.engine.portfolio;

  constructor() {
    const prices = INSTRUMENTS.map(({ id }) => ({ instrumentId: id, price: 100 }));
    this.bench.engine.process({ kind: 'opening', time: START, prices });
  }

  get coins(): Fixed {
    return this.#portfolio.instrument(COIN.id).long.holding.quantity;
  }

  make({ instrument, price, coinPrice, steps, share, fee }: Move): void {
    const { bench } = this;
    bench.candle(coinPrice, { instrumentId: COIN.id });
    bench.candle(price);
    const at = { instrument: instrument.symbol };
    const quantity = (steps / 1_000).toFixed(3);
    const { holding } = this.#portfolio.instrument(instrument.id).long;
    const isHeld = holding.quantity >= STEP;
    const sent = bench.want(isHeld ? exit({ ...at, share }) : enterLong({ quantity }, at));
    const id = sent[0]?.split(':')[0];
    // Half of a step cannot be sold.
    if (id === undefined) return;
    const paid = (BigInt(fee) * STEP) / 10n;
    const isPayable = instrument === SPOT ? paid <= this.coins : !isHeld && paid < STEP * 50n;
    bench.fill(id, formatFixed(bench.request(id).quantity), {
      price: String(instrument === SPOT ? price : coinPrice),
      ...(isPayable && { fee: formatFixed(paid), feeAsset: 'BNB' }),
    });
  }

  /** Trades as the result lists them. */
  listed() {
    const { engine } = this.bench;
    const { initial } = this.#portfolio.instrument(COIN.id).long;
    const worthOf = ({ id }: Instrument) => ({
      price: this.#portfolio.last(id) ?? 0n,
      worth: FIXED_ONE,
    });
    // 100,000 of quote and 0.5 coins at 100.
    const final = formatFixed(this.#portfolio.equity());
    const record = aRunRecord({
      ...dailyEquity(['100050', '100050', final]),
      instruments: INSTRUMENTS,
      fills: [...engine.fills],
      openingHoldings: [{ instrumentId: COIN.id, holding: initial }],
      finalPrices: new Map(INSTRUMENTS.map((one) => [one.id, worthOf(one)])),
    });
    const rows = CandleRows.of(NO_CANDLES);
    const prices = createHeldPrices(
      INSTRUMENTS.map(({ id }) => ({ instrumentId: id, interval: '1min', rows })),
      { dataDelayMs: 0 },
    );
    return buildResult(record, { prices });
  }
}

describe('fees in a coin that the bot trades', () => {
  it('are taken from the position in the coin, and its trades add up to all that was gained', () => {
    fc.assert(
      fc.property(fc.array(move, { minLength: 1, maxLength: 20 }), (moves) => {
        const payer = new Payer();
        const { portfolio } = payer.bench.engine;

        for (const one of moves) {
          payer.make(one);
          expect(formatFixed(payer.coins)).toBe(formatFixed(portfolio.total('BNB')));
          expect(portfolio.residual()).toBe(0n);
        }

        const { tradeTotals, trades = [] } = payer.listed();
        // Nothing is left for `other` but the rounding of each fee and share.
        expect(absFixed(parseFixed(tradeTotals?.other ?? ''))).toBeLessThan(1_000n);
        const [position] = trades.filter(({ instrument, open }) => open && instrument === COIN.id);
        expect(position !== undefined).toBe(portfolio.instrument(COIN.id).long.isExposed);
      }),
      { numRuns: lawRuns() / 10 },
    );
  });
});
