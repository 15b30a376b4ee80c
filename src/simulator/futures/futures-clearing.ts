import {
  maxFixed,
  missing,
  type Asset,
  type ClientOrderId,
  type Direction,
  type EpochMs,
  type Fixed,
  type FuturesInstrument,
  type InstrumentId,
  type LeverageTier,
} from '../../domain/index.js';
import type { AccountUpdate } from '../../venue/index.js';
import { moneyOf } from '../accounts/money.js';
import { InstantSteps } from '../instant-steps.js';
import type { InstrumentMarket } from '../instrument-market.js';
import { atMillisecond, type Crossing } from '../path/candle-path.js';
import { MarkFeed, type InstantSide, type MarkUse } from '../path/mark-feed.js';
import { FundingSchedule } from './funding-schedule.js';
import type { FuturesAccount } from './futures-account.js';
import type { LadderStep } from './liquidation-ladder.js';
import { LiquidationWatch, type HeldContract, type LiquidationPoint } from './liquidation-watch.js';
import type { ForcedResult } from './position-closing.js';

export interface FuturesClearingOptions {
  readonly account: FuturesAccount;
  readonly markets: readonly InstrumentMarket[];
  readonly tiersAt: (instrumentId: InstrumentId, time: EpochMs) => readonly LeverageTier[];
  /** Price of a forced order at a crossing: the path of the last price, with taker costs. */
  readonly takerPriceAt: (
    market: InstrumentMarket,
    order: { readonly side: 'buy' | 'sell'; readonly quantity: Fixed; readonly at: Crossing },
  ) => Fixed;
  readonly cancelOrders: (instrumentId: InstrumentId, time: EpochMs) => void;
  readonly onUpdate: (update: AccountUpdate) => void;
}

/** Terms of one funding settlement. */
export interface FundingTerms {
  /** Ratio for the period: longs pay when positive. */
  readonly rate: Fixed;
  readonly markPrice: Fixed;
  readonly time: EpochMs;
}

interface FundedContract {
  readonly contract: ClearedContract;
  readonly schedule: FundingSchedule;
  due: EpochMs;
}

interface ClearedContract extends HeldContract {
  readonly instrument: FuturesInstrument;
  tiers: readonly LeverageTier[] | undefined;
}

/**
 * What the venue does with contracts by itself: it keeps their marks, settles funding, and liquidates (DESIGN R11, R12). It acts only when the venue
 * calls it for an instant.
 */
export class FuturesClearing {
  readonly #options: FuturesClearingOptions;
  readonly #account: FuturesAccount;
  readonly #contracts = new Map<InstrumentId, ClearedContract>();
  /** The contracts of the map as a list, for the loop at each order. */
  readonly #list: readonly ClearedContract[];
  readonly #funded: readonly FundedContract[];
  readonly watch: LiquidationWatch;
  readonly #steps = new InstantSteps('liquidation');
  #settledUntil: EpochMs = Number.NEGATIVE_INFINITY;
  /** Result of the last {@link nextDue}. It stays valid while the account's version is `#dueVersion`. */
  #due: EpochMs = Number.POSITIVE_INFINITY;
  #dueVersion: number | undefined;
  #forcedOrders = 0;
  /** The account's version when its money last sufficed at the marks of an instant. */
  #sufficedAt: number | undefined;

  constructor(options: FuturesClearingOptions) {
    this.#options = options;
    this.#account = options.account;
    const funded: FundedContract[] = [];
    for (const market of options.markets) {
      const { instrument, funding } = market.source;
      if (instrument.kind !== 'futures') continue;
      const contract: ClearedContract = {
        instrument,
        instrumentId: instrument.id,
        asset: instrument.marginAsset,
        feed: new MarkFeed(market),
        tiers: undefined,
      };
      this.#contracts.set(instrument.id, contract);
      if (funding !== undefined) {
        const schedule = new FundingSchedule(funding);
        funded.push({ contract, schedule, due: Number.NEGATIVE_INFINITY });
      }
    }
    this.#funded = funded;
    this.#list = [...this.#contracts.values()];
    this.watch = new LiquidationWatch(this.#account, this.#list, (held) => {
      this.#noteDoubt(held);
    });
  }

  // Marks.

  /** Updates the marks and tiers of all held contracts, and of `instrumentId`, to an instant. */
  mark(time: EpochMs, side: InstantSide, instrumentId?: InstrumentId): void {
    const { ledger } = this.#account;
    for (const contract of this.#list) {
      const { instrumentId: id, feed } = contract;
      if (id !== instrumentId && !this.#isHeld(id)) continue;
      this.#takeTiers(contract, time);
      ledger.setMark(id, priceAbove0(feed.at(time, side)));
    }
  }

  /** Updates the marks if a fill may need margin, which happens only in one-way mode. */
  markForFill(time: EpochMs, side: InstantSide): void {
    if (this.#account.ledger.positionMode === 'oneWay') this.mark(time, side);
  }

  #takeTiers(contract: ClearedContract, time: EpochMs): void {
    const tiers = this.#options.tiersAt(contract.instrumentId, time);
    if (contract.tiers === tiers) return;
    contract.tiers = tiers;
    this.#account.ledger.setTiers(contract.instrumentId, tiers);
    this.#account.noteChange();
  }

  #isHeld(instrumentId: InstrumentId): boolean {
    return this.#account.ledger.isHeld(instrumentId);
  }

  /** Which price liquidates each contract. */
  markUses(): ReadonlyMap<InstrumentId, MarkUse> {
    return new Map([...this.#contracts].map(([id, { feed }]) => [id, feed.use]));
  }

  // Funding.

  /** When funding is due next on held contracts; Infinity if never. */
  nextDue(): EpochMs {
    const { version } = this.#account;
    if (this.#dueVersion === version) return this.#due;
    let time = Number.POSITIVE_INFINITY;
    for (const funded of this.#funded) {
      if (!this.#isHeld(funded.contract.instrumentId)) continue;
      if (funded.due <= this.#settledUntil)
        funded.due = funded.schedule.nextAfter(this.#settledUntil);
      time = Math.min(time, funded.due);
    }
    this.#due = time;
    this.#dueVersion = version;
    return time;
  }

  /** Settles the funding that is due at an instant, in the order of the instruments. */
  settle(time: EpochMs): void {
    for (const { contract, schedule, due } of this.#funded)
      if (due === time && this.#isHeld(contract.instrumentId))
        this.#fund(contract, {
          rate: schedule.rateAt(time),
          markPrice: contract.feed.atBoundary(time),
          time,
        });
    this.passBoundary(time);
  }

  /** Contracts that are opened from now on are not charged for boundaries up to `time`. */
  passBoundary(time: EpochMs): void {
    if (time <= this.#settledUntil) return;
    this.#settledUntil = time;
    if (this.#due <= time) this.#dueVersion = undefined;
  }

  /** Settles funding on given terms, if the contract is held. */
  settleAt(instrumentId: InstrumentId, terms: FundingTerms): void {
    if (this.#isHeld(instrumentId)) this.#fund(this.#contractOf(instrumentId), terms);
  }

  #fund({ instrumentId, asset }: ClearedContract, { rate, markPrice, time }: FundingTerms): void {
    const mark = priceAbove0(markPrice);
    for (const { direction, amount } of this.#account.ledger.fund(instrumentId, { rate, mark }))
      this.#options.onUpdate({
        kind: 'funding',
        instrumentId,
        direction,
        asset,
        amount,
        rate,
        markPrice: mark,
        eventTime: time,
      });
    this.#account.noteChange();
  }

  // Liquidation.

  /** Carries out the liquidation at a point of the paths: at the price of the level, not at the price at the end of its millisecond. */
  liquidateAt(point: LiquidationPoint): void {
    this.watch.pass(point);
    for (const [id, mark] of point.marks) this.#account.ledger.setMark(id, priceAbove0(mark));
    this.#climbDown(point.asset, point);
  }

  /** Liquidates what the account cannot carry at the marks of an instant, with which its candles opened. */
  liquidateNow(time: EpochMs): void {
    this.mark(time, 'after');
    for (const asset of this.#account.ledger.assets) this.#climbDown(asset, atMillisecond(time));
    this.#sufficedAt = this.#account.version;
  }

  /**
   * As {@link liquidateNow}, but only if something changed since the last check, by a fill or funding. While no candle is open, it waits for the next
   * open.
   */
  liquidateChanged(time: EpochMs): void {
    if (this.#account.version === this.#sufficedAt) return;
    this.mark(time, 'after');
    for (const asset of this.#account.ledger.assets)
      if (this.watch.isUnderWay(asset)) this.#climbDown(asset, atMillisecond(time));
    this.#sufficedAt = this.#account.version;
  }

  #climbDown(asset: Asset, at: Crossing): void {
    const { ledger } = this.#account;
    for (let step = ledger.nextStep(asset); step !== undefined; step = ledger.nextStep(asset)) {
      this.#steps.count(at.time);
      this.#carryOut(step, asset, at);
      this.#account.noteChange();
    }
  }

  #carryOut(step: LadderStep, asset: Asset, at: Crossing): void {
    const { ledger } = this.#account;
    const { instrumentId } = step;
    const { time } = at;
    switch (step.kind) {
      case 'cancel-orders':
        this.#options.cancelOrders(instrumentId, time);
        ledger.startLiquidation(instrumentId, step.direction);
        return;
      case 'release':
        ledger.endLiquidation(instrumentId, step.direction);
        return;
      case 'net': {
        const { contracts, mark: price } = step;
        const { long, short } = ledger.net(instrumentId, contracts);
        const terms = { asset, time, instrumentId, cause: 'netting', contracts, price } as const;
        this.#report({ ...terms, direction: 'long', result: long });
        this.#report({ ...terms, direction: 'short', result: short });
        return;
      }
      case 'reduce':
      case 'close': {
        const { direction, contracts, feeRate } = step;
        const { market } = this.#contractOf(instrumentId).feed;
        const side = direction === 'long' ? 'sell' : 'buy';
        const price = this.#options.takerPriceAt(market, { side, quantity: contracts, at });
        const result = ledger.liquidate(instrumentId, { direction, contracts, price, feeRate });
        const terms = { asset, time, instrumentId, contracts, price } as const;
        this.#report({ ...terms, cause: 'liquidation', direction, result });
      }
    }
  }

  #report(forced: {
    readonly asset: Asset;
    readonly time: EpochMs;
    readonly instrumentId: InstrumentId;
    readonly cause: 'liquidation' | 'netting';
    readonly direction: Direction;
    readonly contracts: Fixed;
    readonly price: Fixed;
    readonly result: ForcedResult;
  }): void {
    const { asset, time, instrumentId, cause, direction, contracts, price, result } = forced;
    this.#forcedOrders += 1;
    this.#account.noteClosing(result, time);
    this.#options.onUpdate({
      kind: 'forced-fill',
      cause,
      fill: {
        clientOrderId: `${cause}-${String(this.#forcedOrders)}` as ClientOrderId,
        instrumentId,
        side: direction === 'long' ? 'sell' : 'buy',
        action: 'close',
        price,
        quantity: contracts,
        fee: result.fee,
        feeAsset: asset,
        liquidity: 'taker',
        eventTime: time,
      },
      insurance: result.insurance,
      eventTime: time,
    });
  }

  // Doubt.

  /** Handles a candle in which money may run out. Each end of its range at which that happens is noted as a level like any other (DESIGN R16). */
  #noteDoubt({ instrumentId, asset, feed }: HeldContract): void {
    const { ledger } = this.#account;
    const { market } = feed;
    const contract = this.#contractOf(instrumentId);
    const { low, high } = market.shape();
    const range = feed.range(market.closeTime);
    const side = market.cursor < market.closeTime ? 'after' : 'before';
    this.mark(market.cursor, side);
    const now = feed.at(market.cursor, side);
    const ends = [
      { mark: range.low, level: low },
      { mark: range.high, level: high },
    ];
    const contracts = ledger.held(instrumentId, 'long') + ledger.held(instrumentId, 'short');
    for (const { mark, level } of ends) {
      ledger.setMark(instrumentId, priceAbove0(market.exact(mark)));
      if (ledger.nextStep(asset) === undefined) continue;
      const money = moneyOf(contract.instrument, contracts, level);
      market.doubt.notePosition({ name: instrumentId, level, money });
    }
    ledger.setMark(instrumentId, priceAbove0(now));
  }

  #contractOf(instrumentId: InstrumentId): ClearedContract {
    return this.#contracts.get(instrumentId) ?? missing(`the contract ${instrumentId}`);
  }
}

/** Raises a mark to the smallest amount above 0, because the ledger divides by it. */
function priceAbove0(price: Fixed): Fixed {
  return maxFixed(price, 1n);
}
