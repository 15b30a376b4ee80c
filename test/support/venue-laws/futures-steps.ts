import fc from 'fast-check';

import {
  contractValue,
  decimalFromFixed,
  divideFixed,
  FIXED_ONE,
  floorToStep,
  formatFixed,
  maxFixed,
  multiplyFixed,
  parseFixed,
  present,
  type Decimal,
  type Direction,
  type Fixed,
  type FuturesInstrument,
  type InstrumentId,
  type PositionMode,
} from '../../../src/domain/index.js';
import { FuturesLedger } from '../../../src/simulator/futures/futures-ledger.js';
import type { ContractFill } from '../../../src/simulator/futures/margin-book.js';
import type { LadderStep } from '../../../src/simulator/futures/liquidation-ladder.js';
import { aContract, aTier } from '../futures-contracts.js';
import { NaiveFuturesLedger, positionsOf } from '../naive/naive-futures-ledger.js';
import {
  figuresOf,
  isShort,
  nextStepOf,
  unrealizedOf,
  valueOf,
} from '../naive/naive-futures-rules.js';

/** Tiers within reach of the starting balances, so that sequences move up and down the ladder. */
const USDT_TIERS = [
  aTier('600', '0.005'),
  aTier('2500', '0.02', '40'),
  aTier(undefined, '0.06', '12'),
];
const COIN_TIERS = [aTier('6', '0.005'), aTier('25', '0.02', '40'), aTier(undefined, '0.06', '12')];

/** Two contracts for each of two margin assets: linear in USDT, inverse in BTC. */
export const CONTRACTS = [
  aContract({ symbol: 'E-BTC-USDT', multiplier: '0.001', tiers: USDT_TIERS }),
  aContract({ symbol: 'E-ETH-USDT', multiplier: '0.07', tiers: USDT_TIERS, marginMode: 'cross' }),
  aContract({ symbol: 'E-BTC-USD', contract: 'inverse', tiers: COIN_TIERS, marginMode: 'cross' }),
  aContract({ symbol: 'E-BTC-USDM', contract: 'inverse', multiplier: '7', tiers: COIN_TIERS }),
];
const START = new Map([
  ['USDT', parseFixed('400')],
  ['BTC', parseFixed('4')],
]);
const ASSETS = [...START.keys()];

/** How often something happened in all sequences so far: a step of the ladder, a kind of order. */
export const coverage = new Map<string, number>();

function count(label: string): void {
  coverage.set(label, (coverage.get(label) ?? 0) + 1);
}

/** The ledger beside its naive twin. Both receive the same events and must agree after each step. */
export class FuturesBench {
  readonly ledger: FuturesLedger;
  readonly naive = new NaiveFuturesLedger(CONTRACTS, START);
  readonly marks = new Map<InstrumentId, Fixed>();

  constructor(positionMode: PositionMode) {
    this.ledger = new FuturesLedger({ contracts: CONTRACTS, balances: START, positionMode });
    for (const { instrument } of CONTRACTS) this.mark(instrument.id, parseFixed('100'));
  }

  mark(id: InstrumentId, mark: Fixed): void {
    this.marks.set(id, mark);
    this.ledger.setMark(id, mark);
    this.naive.events.push({ kind: 'mark', id, mark });
  }

  markOf(id: InstrumentId): Fixed {
    return present(this.marks.get(id), `a mark of ${id}`);
  }

  /** Type, margin mode and position mode of a contract, for the counts. */
  describe(id: InstrumentId): string {
    const { instrument } = present(
      CONTRACTS.find(({ instrument: i }) => i.id === id),
      id,
    );
    const mode = this.naive.state().contracts.get(id)?.mode ?? '';
    return `${instrument.contract} ${mode} ${this.ledger.positionMode}`;
  }

  availableFor(id: InstrumentId): Fixed {
    return this.ledger.available(termsOf(id).marginAsset);
  }

  /** Whole contracts whose margin takes this share of the available money; at least 3. */
  affordable(id: InstrumentId, price: Fixed, share: Fixed): Fixed {
    const leverage = this.naive.state().contracts.get(id)?.leverage.toFixed() ?? '1';
    const money = multiplyFixed(multiplyFixed(this.availableFor(id), parseFixed(leverage)), share);
    const unit = contractValue(termsOf(id), FIXED_ONE, price);
    return maxFixed(floorToStep(divideFixed(money, unit), FIXED_ONE), 3n * FIXED_ONE);
  }

  /** Opens a position if the account can carry it, as the venue does. */
  open(id: InstrumentId, fill: ContractFill): void {
    const needs = this.ledger.requirement(id, fill);
    count(`requirement ${needs.kind}`);
    if (needs.kind === 'refused' || needs.total > this.availableFor(id)) return;
    this.ledger.open(id, fill);
    this.naive.events.push({ kind: 'open', id, ...fill });
    count(`open ${this.describe(id)}`);
  }

  close(id: InstrumentId, fill: ContractFill): void {
    this.ledger.close(id, fill);
    this.naive.events.push({ kind: 'close', id, ...fill });
  }

  /** Carries out the ladder to its end. Before each step the ledger's next step is compared with the naive one. */
  liquidate(slip: Fixed): void {
    for (const asset of ASSETS) {
      for (let steps = 0; ; steps += 1) {
        const step = this.ledger.nextStep(asset);
        same(
          'step',
          step === undefined ? undefined : inWords(step),
          nextStepOf(this.naive.state(), asset),
        );
        if (step === undefined) break;
        if (steps > 60) throw new Error(`expected the ladder of ${asset} to end`);
        count(`ladder ${step.kind} ${this.describe(step.instrumentId)}`);
        this.#carryOut(step, slip);
        this.compare();
      }
    }
  }

  #carryOut(step: LadderStep, slip: Fixed): void {
    const id = step.instrumentId;
    switch (step.kind) {
      case 'cancel-orders':
        this.ledger.startLiquidation(id, step.direction);
        this.naive.events.push({ kind: 'freezeLock', id, direction: step.direction, on: true });
        return;
      case 'release':
        this.ledger.endLiquidation(id, step.direction);
        this.naive.events.push({ kind: 'freezeLock', id, direction: step.direction, on: false });
        return;
      case 'net': {
        const { long, short } = this.ledger.net(id, step.contracts);
        if (long.insurance + short.insurance > 0n) count('insurance of netting');
        this.naive.events.push({ kind: 'net', id, contracts: step.contracts });
        return;
      }
      case 'reduce':
      case 'close': {
        const price = multiplyFixed(this.markOf(id), slip);
        const { direction, contracts, feeRate } = step;
        const fill = { direction, contracts, price, feeRate };
        if (this.ledger.liquidate(id, fill).insurance > 0n) count(`insurance ${this.describe(id)}`);
        this.naive.events.push({ kind: 'forced', id, ...fill });
      }
    }
  }

  compare(): void {
    const state = this.naive.state();
    for (const asset of ASSETS) {
      const figures = figuresOf(state, asset);
      const view = this.ledger.account(asset);
      same(`balance ${asset}`, exact(this.ledger.balance(asset)), plain(figures.balance));
      same(`frozen ${asset}`, exact(view.locked), plain(figures.frozen));
      same(`available ${asset}`, exact(view.available), plain(figures.available));
      same(`equity ${asset}`, exact(this.ledger.equity(asset)), plain(figures.equity));
      same(`cross ${asset}`, exact(view.crossEquity ?? 0n), plain(figures.crossEquity));
      same(`isolated ${asset}`, exact(view.isolatedEquity ?? 0n), plain(figures.isolatedEquity));
      same(`residual ${asset}`, exact(this.ledger.residual(asset)), '0');
      for (const held of positionsOf(state, asset)) {
        const { position, contract } = held;
        const { id } = contract.terms.instrument;
        const name = `${id} ${position.direction}`;
        same(
          `held ${name}`,
          exact(this.ledger.held(id, position.direction)),
          plain(position.quantity),
        );
        same(
          `due ${name}`,
          String(this.ledger.isLiquidatable(id, position.direction)),
          String(isShort(state, held)),
        );
        const own = this.ledger.position(id, position.direction);
        if (own === undefined) continue;
        same(`value ${name}`, exact(own.value ?? 0n), plain(valueOf(held)));
        same(`unrealized ${name}`, exact(own.unrealizedProfit), plain(unrealizedOf(held)));
        same(`realized ${name}`, exact(own.realizedProfit), plain(position.realized));
        if (contract.mode === 'isolated') {
          const purse = position.margin.plus(position.kept);
          same(`margin ${name}`, exact(own.margin), plain(purse.minus(position.realized)));
        }
        same(
          `realized ${name}`,
          exact(own.totalRealizedProfit ?? 0n),
          plain(position.profit.plus(position.fees).plus(position.funding)),
        );
        same(`fees ${name}`, exact(own.tradeFee ?? 0n), plain(position.fees));
        same(`funding ${name}`, exact(own.fundingFee ?? 0n), plain(position.funding));
      }
    }
  }
}

function termsOf(id: InstrumentId): FuturesInstrument {
  return present(
    CONTRACTS.find(({ instrument }) => instrument.id === id),
    id,
  ).instrument;
}

const exact = formatFixed;
const plain = (value: Decimal): string => (value.isZero() ? '0' : value.toFixed());

function same(what: string, ledger: string | undefined, naive: string | undefined): void {
  if (ledger !== naive)
    throw new Error(`${what}: expected ${String(naive)}, received ${String(ledger)}`);
}

function inWords(step: LadderStep): string {
  const id = step.instrumentId;
  if (step.kind === 'net') return `net ${id} ${decimalFromFixed(step.contracts).toFixed()}`;
  const words = `${step.kind} ${id} ${step.direction}`;
  return step.kind === 'reduce' || step.kind === 'close'
    ? `${words} ${decimalFromFixed(step.contracts).toFixed()}`
    : words;
}

type Step = fc.Command<object, FuturesBench>;

/** A step that runs on both sides. Then the two are compared. */
function step(text: string, run: (bench: FuturesBench) => void): Step {
  return {
    check: () => true,
    run: (_, bench) => {
      run(bench);
      bench.compare();
    },
    toString: () => text,
  };
}

const ids = fc.constantFrom(...CONTRACTS.map(({ instrument }) => instrument.id));
const directions = fc.constantFrom<Direction>('long', 'short');
/** Ratios from `min` to `max` in millionths. */
const ratios = (min: number, max: number): fc.Arbitrary<Fixed> =>
  fc
    .integer({ min: Math.round(min * 1e6), max: Math.round(max * 1e6) })
    .map((parts) => BigInt(parts) * 10n ** 12n);
/** Share of the largest quantity that can be opened or closed. */
const shares = ratios(0.05, 0.99);
const feeRates = fc.constantFrom(...['0', '0.0002', '0.0006', '-0.0001'].map(parseFixed));

const marks = fc
  .tuple(ids, ratios(0.7, 1.4), ratios(0.97, 1.03), fc.constantFrom(1n, 3n, 10n))
  .map(([id, move, slip, damping]) =>
    step(`mark ${id} x ${exact(move)} ÷ ${String(damping)}, slip ${exact(slip)}`, (bench) => {
      const before = bench.markOf(id);
      const moved = multiplyFixed(before, FIXED_ONE + (move - FIXED_ONE) / damping);
      // Kept near 100, so that sizes stay comparable.
      const isFar = moved < 20n * FIXED_ONE || moved > 500n * FIXED_ONE;
      bench.mark(id, isFar ? 100n * FIXED_ONE : moved);
      bench.compare();
      bench.liquidate(slip);
    }),
  );

const opens = fc
  .record({
    id: ids,
    direction: directions,
    share: shares,
    at: ratios(0.98, 1.02),
    feeRate: feeRates,
  })
  .map(({ id, direction, share, at, feeRate }) =>
    step(`open ${id} ${direction}, ${exact(share)} of what it can, at x ${exact(at)}`, (bench) => {
      const price = multiplyFixed(bench.markOf(id), at);
      const size = bench.affordable(id, price, share);
      const { closing, opening } = bench.ledger.splitOpening(id, direction, size);
      if (closing > 0n) {
        count(`flip ${bench.describe(id)}`);
        const opposite = direction === 'long' ? 'short' : 'long';
        bench.close(id, { direction: opposite, contracts: closing, price, feeRate });
      }
      if (opening === 0n) return;
      bench.open(id, { direction, contracts: opening, price, feeRate });
    }),
  );

const closes = fc
  .record({
    id: ids,
    direction: directions,
    share: fc.oneof(shares, fc.constant(FIXED_ONE)),
    at: ratios(0.98, 1.02),
    feeRate: feeRates,
  })
  .map(({ id, direction, share, at, feeRate }) =>
    step(`close ${id} ${direction}, ${exact(share)} of it, at x ${exact(at)}`, (bench) => {
      const held = bench.ledger.held(id, direction);
      const part = floorToStep(multiplyFixed(held, share), FIXED_ONE);
      if (part === 0n) return;
      count(`close ${part === held ? 'all' : 'part'} ${bench.describe(id)}`);
      const price = multiplyFixed(bench.markOf(id), at);
      bench.close(id, { direction, contracts: part, price, feeRate });
    }),
  );

/** Long and short of one contract at once, which the ladder nets. */
const pairs = fc.record({ id: ids, share: shares }).map(({ id, share }) =>
  step(`open both sides of ${id}, ${exact(share)} of what it can`, (bench) => {
    if (bench.ledger.positionMode === 'oneWay') return;
    const price = bench.markOf(id);
    for (const [direction, part] of [
      ['long', share],
      ['short', share / 2n],
    ] as const)
      bench.open(id, {
        direction,
        contracts: bench.affordable(id, price, part),
        price,
        feeRate: 0n,
      });
  }),
);

const fundings = fc.tuple(ids, ratios(-0.02, 0.02)).map(([id, rate]) =>
  step(`funding ${id} ${exact(rate)}`, (bench) => {
    const mark = bench.markOf(id);
    if (bench.ledger.fund(id, { rate, mark }).length > 0) count(`funding ${bench.describe(id)}`);
    bench.naive.events.push({ kind: 'funding', id, rate, mark });
    bench.compare();
    bench.liquidate(FIXED_ONE);
  }),
);

const freezes = fc.tuple(fc.constantFrom(...ASSETS), ratios(-0.5, 0.5)).map(([asset, amount]) =>
  step(`freeze ${asset} ${exact(amount)}`, (bench) => {
    if (bench.ledger.frozen(asset) + amount < 0n) return;
    bench.ledger.freeze(asset, amount);
    bench.naive.events.push({ kind: 'freeze', asset, amount });
  }),
);

const settings = fc
  .tuple(
    ids,
    fc.constantFrom('1', '5', '10', '12', '40', '150'),
    fc.constantFrom<'cross' | 'isolated'>('cross', 'isolated'),
  )
  .map(([id, leverage, mode]) =>
    step(`set ${id} to ${leverage}x ${mode}`, (bench) => {
      const answer = bench.ledger.setLeverage(id, parseFixed(leverage));
      count(`leverage ${answer}`);
      if (answer === 'changed')
        bench.naive.events.push({ kind: 'leverage', id, leverage: parseFixed(leverage) });
      if (bench.ledger.setMarginMode(id, mode) === 'changed')
        bench.naive.events.push({ kind: 'mode', id, mode });
    }),
  );

/** Steps of a futures account; opening and moving marks more often than the rest. */
export const FUTURES_STEPS: fc.Arbitrary<Step>[] = [
  marks,
  marks,
  opens,
  opens,
  opens,
  pairs,
  closes,
  fundings,
  freezes,
  settings,
];
