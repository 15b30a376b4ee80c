import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  Decimal,
  decimalFromFixed,
  fixedToNumber,
  FIXED_ONE,
  parseFixed,
  type Direction,
  type FillRecord,
  type Fixed,
  type Instrument,
} from '../../../../src/domain/index.js';
import { Portfolio } from '../../../../src/engine/index.js';
import type { AccountUpdate } from '../../../../src/venue/index.js';
import { INVERSE, LINEAR, MARGIN, SPOT } from '../../../support/risk/builders.js';
import { lawRuns } from '../../../support/runs.js';
import { isSame, NaivePortfolio } from '../../../support/engine/naive-portfolio.js';
import { START } from '../../../support/engine/engine.js';
import { aFillRecord } from '../../../support/engine/portfolio.js';

const INSTRUMENTS: readonly Instrument[] = [
  SPOT,
  MARGIN,
  LINEAR,
  { ...INVERSE, marginMode: 'cross' },
  { ...LINEAR, id: `${LINEAR.id}-2` as typeof LINEAR.id, marginMode: 'cross' },
];
const BALANCES = {
  spot: { USDT: '10000', BTC: '5' },
  margin: { USDT: '10000', BTC: '0' },
  futures: { USDT: '10000', BTC: '3' },
};
const TICK = parseFixed('0.01');
const STEP = parseFixed('0.001');

const stepOf = ({ kind }: Instrument): Fixed => (kind === 'futures' ? FIXED_ONE : STEP);

/** An event of an account. It is drawn before it is known whether the account holds such a position. */
const happening = fc.record({
  what: fc.constantFrom('open', 'open', 'open', 'close', 'close', 'forced', 'funding', 'interest'),
  at: fc.nat({ max: INSTRUMENTS.length - 1 }),
  direction: fc.constantFrom<Direction>('long', 'short'),
  ticks: fc.bigInt(5_000n, 20_000n),
  steps: fc.bigInt(1n, 400n),
  share: fc.bigInt(1n, 1_000n),
  feeRate: fc.bigInt(0n, 20n),
  isFeeInBase: fc.boolean(),
  marks: fc.array(fc.bigInt(5_000n, 20_000n), {
    minLength: INSTRUMENTS.length,
    maxLength: INSTRUMENTS.length,
  }),
});
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

/** The engine's portfolio and the naive one, with the same events. */
class Twins {
  readonly portfolio: Portfolio;
  readonly naive: NaivePortfolio;
  #marks: readonly bigint[] = INSTRUMENTS.map(() => 10_000n);

  constructor() {
    const fixed = (assets: Readonly<Record<string, string>>): ReadonlyMap<string, Fixed> =>
      new Map(Object.entries(assets).map(([asset, amount]) => [asset, parseFixed(amount)]));
    this.portfolio = new Portfolio({
      instruments: INSTRUMENTS.map((instrument) => ({ instrument, pricePrecision: 2 })),
      balances: {
        spot: fixed(BALANCES.spot),
        margin: fixed(BALANCES.margin),
        futures: fixed(BALANCES.futures),
      },
      equityCurrency: 'USDT',
    });
    this.naive = new NaivePortfolio(INSTRUMENTS, BALANCES, (instrument) =>
      decimalFromFixed(stepOf(instrument)),
    );
    this.naive.side(SPOT, 'long').quantity = new Decimal(5);
  }

  play(event: Happening): void {
    const instrument = INSTRUMENTS[event.at] ?? SPOT;
    const direction = instrument.kind === 'spot' ? 'long' : event.direction;
    const held = this.portfolio.instrument(instrument.id)[direction].holding.quantity;
    switch (event.what) {
      case 'open':
        this.#fill(fillOf(event, instrument, direction, event.steps * stepOf(instrument)));
        break;
      case 'close':
      case 'forced': {
        const whole = stepOf(instrument);
        const quantity = ((held * event.share) / 1_000n / whole) * whole;
        if (quantity === 0n) break;
        const fill = fillOf({ ...event, what: 'close' }, instrument, direction, quantity);
        if (event.what === 'close') this.#fill(fill);
        else if (instrument.kind !== 'spot')
          this.#update({
            kind: 'forced-fill',
            cause: 'liquidation',
            fill,
            insurance: event.share * TICK,
            eventTime: fill.eventTime,
          });
        break;
      }
      case 'funding':
        if (instrument.kind !== 'futures' || held === 0n) break;
        this.#update({
          kind: 'funding',
          instrumentId: instrument.id,
          direction,
          asset: instrument.marginAsset,
          amount: (event.share - 500n) * TICK,
          rate: parseFixed('0.0001'),
          markPrice: event.ticks * TICK,
          eventTime: START,
        });
        break;
      case 'interest':
        this.#update({
          kind: 'interest',
          asset: event.isFeeInBase ? 'BTC' : 'USDT',
          amount: event.share * 1_000_003n,
          eventTime: 0,
          of: 'hour',
        });
        break;
    }
    this.#mark(event.marks);
  }

  #fill(fill: FillRecord): void {
    const instrument = INSTRUMENTS.find(({ id }) => id === fill.instrumentId) ?? SPOT;
    this.portfolio.applyFill(fill, stepOf(instrument));
    this.naive.fill(fill);
  }

  #update(update: AccountUpdate): void {
    this.portfolio.applyAccountUpdate(update, FIXED_ONE);
    this.naive.update(update);
  }

  #mark(marks: readonly bigint[]): void {
    this.#marks = marks;
    for (const [at, { id, kind }] of INSTRUMENTS.entries()) {
      const account = this.portfolio.instrument(id);
      account.lastNumber = Number(marks[at]) / 100;
      if (kind === 'futures') account.markNumber = Number(marks[at]) / 100;
    }
  }

  readonly markOf = ({ id }: Instrument): Decimal => {
    const at = INSTRUMENTS.findIndex((instrument) => instrument.id === id);
    return new Decimal(String(this.#marks[at] ?? 0n)).div(100);
  };

  equity(): Decimal {
    return this.naive.equity(
      (instrument) => ({ mark: this.markOf(instrument) }),
      (asset) => (asset === 'USDT' ? new Decimal(1) : this.markOf(SPOT)),
    );
  }
}

function fillOf(
  { what, ticks, feeRate, isFeeInBase }: Happening,
  instrument: Instrument,
  direction: Direction,
  quantity: Fixed,
): FillRecord {
  const action = what === 'close' ? 'close' : 'open';
  const side = (direction === 'long') === (action === 'open') ? 'buy' : 'sell';
  const isBase = instrument.kind !== 'futures' && side === 'buy' && isFeeInBase;
  const feeAsset =
    instrument.kind === 'futures'
      ? instrument.marginAsset
      : isBase
        ? instrument.base
        : instrument.quote;
  return {
    ...aFillRecord({}),
    instrumentId: instrument.id,
    side,
    action,
    price: ticks * TICK,
    quantity,
    fee: isBase ? (quantity * feeRate) / 10_000n : feeRate * 12_345_678_901n,
    feeAsset,
  };
}

/** The differences between the two, one line each. */
function differences(twins: Twins): readonly string[] {
  const { portfolio, naive } = twins;
  const found: string[] = [];
  const compare = (what: string, exact: Fixed, expected: Decimal): void => {
    if (!isSame(exact, expected))
      found.push(`${what}: ${decimalFromFixed(exact).toFixed()}, not ${expected.toFixed()}`);
  };
  for (const asset of ['USDT', 'BTC']) {
    for (const kind of ['spot', 'margin', 'futures'] as const)
      compare(`${kind} ${asset}`, portfolio.total(asset, kind), naive.of(kind, asset));
    const available = naive.available(asset, twins.markOf);
    compare(`available ${asset}`, portfolio.free(asset, 'futures'), available);
  }
  for (const instrument of INSTRUMENTS) {
    if (instrument.kind !== 'futures') continue;
    for (const direction of ['long', 'short'] as const) {
      const { holding } = portfolio.instrument(instrument.id)[direction];
      const side = naive.side(instrument, direction);
      compare(`${instrument.id} ${direction}`, holding.quantity, side.quantity);
      compare(`${instrument.id} ${direction} entry`, holding.entryValue, side.entryValue);
    }
  }
  const equity = portfolio.equity();
  compare('equity', equity, twins.equity());
  compare('residual', portfolio.residual(portfolio.balances()), new Decimal(0));
  if (Math.abs(portfolio.numbers.equity() - fixedToNumber(equity)) > 1e-6)
    found.push(`equity in float64: ${String(portfolio.numbers.equity())}`);
  return found;
}

describe('the portfolio of spot, margin and contracts: laws', () => {
  it('matches a naive account in money, positions, available balance and equity, with no residual', () => {
    const events = fc.array(happening, { maxLength: 25, size: 'max' });

    fc.assert(
      fc.property(events, (happenings) => {
        const twins = new Twins();
        twins.portfolio.openInitialHoldings(() => 0n);
        for (const event of happenings) {
          twins.play(event);

          expect(differences(twins)).toEqual([]);
        }
      }),
      { numRuns: lawRuns() },
    );
  }, 120_000);
});
