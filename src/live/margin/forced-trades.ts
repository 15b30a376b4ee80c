import {
  contractValue,
  directionOf,
  isFinalStatus,
  minFixed,
  multiplyFixed,
  type Direction,
  type EpochMs,
  type FillRecord,
  type Fixed,
  type ForcedCause,
  type FuturesInstrument,
  type Instrument,
  type InstrumentId,
} from '../../domain/index.js';
import type {
  AccountSource,
  AccountUpdate,
  FuturesAccountSnapshot,
  VenueTrade,
} from '../../venue/index.js';
import type { Portfolio, VenueStop } from '../../engine/index.js';
import { heldContracts } from '../recovery/reconcile.js';
import {
  findNetted,
  groupByOrder,
  sumOfCloses,
  type ExternalClose,
} from '../account/external-closes.js';
import {
  contractAfter,
  heldSides,
  isUsedUp,
  readContract,
  type ContractState,
  type ContractStep,
} from '../account/contract-state.js';
import type { MaintenanceTerms } from './side-margin.js';
import { forcedStep, inOrder, ownStep, ContractSteps } from '../account/contract-steps.js';

/** Maintenance terms of a contract at one time, and the fee rate of an ordinary taker close, as a ratio. */
export interface ForcedTerms extends MaintenanceTerms {
  readonly takerRate: Fixed;
}

export interface ForcedTradesOptions {
  readonly source: Pick<AccountSource, 'account' | 'order'>;
  readonly portfolio: Portfolio;
  readonly termsAt: (instrumentId: InstrumentId, time: EpochMs) => ForcedTerms;
  readonly now: () => EpochMs;
  readonly signal: AbortSignal;
}

export type ForcedFillUpdate = Extract<AccountUpdate, { readonly kind: 'forced-fill' }>;

/** A fill that is reported to the engine: the bot's own, or a close that the venue made. */
export interface NotedFill {
  readonly kind: 'fill' | 'forced-fill';
  readonly fill: FillRecord;
}

/** `undecided`: the venue's data does not fit together yet. */
export type ForcedVerdict =
  | { readonly kind: 'forced'; readonly fills: readonly ForcedFillUpdate[] }
  | { readonly kind: 'external' | 'undecided' };

/** State of a contract at a start, and its changes since then, in order. */
interface ContractLife {
  readonly before: ContractState;
  readonly steps: readonly ContractStep[];
}

const DIRECTIONS: readonly Direction[] = ['long', 'short'];
const EXTERNAL: ForcedVerdict = { kind: 'external' };
const UNDECIDED: ForcedVerdict = { kind: 'undecided' };

/**
 * Separates closes that the venue made by itself from external orders: liquidations, and netting of own long against own short before them.
 *
 * The interface does not label such executions. An execution of an order that no journal knows counts as forced when everything fits:
 * - the order is no LIMIT, closes, and has ended;
 * - the position was the bot's, and the venue shows that exactly this quantity of it is gone;
 * - its margin was used up ({@link isUsedUp}), or nothing is left of its cross account, or the fee is that of a forced close and not a taker's.
 *
 * Two closes of equal quantities of both sides at one price without a fee are netting. If anything does not fit, the execution is external.
 */
export class ForcedTrades {
  readonly #options: ForcedTradesOptions;
  /** Fills reported to the engine since the last full reading. A close that is found now may have come before them. */
  readonly #told: ContractSteps;
  /** Contracts on which an own order has paid the fee of a forced close as a taker, whatever fee the config states: there the fee tells nothing. */
  readonly #takersPayForced = new Set<InstrumentId>();
  /** Closes that left nothing in the account. */
  readonly #ofEmptyAccount = new WeakSet<ForcedFillUpdate>();

  constructor(options: ForcedTradesOptions) {
    this.#options = options;
    this.#told = new ContractSteps((id) => this.#stateOf(id));
  }

  /** Notes a fill that is about to be reported, while earlier closes may not have been found yet. */
  noteTold({ kind, fill }: NotedFill): void {
    const { instrument } = this.#options.portfolio.instrument(fill.instrumentId);
    if (instrument.kind !== 'futures') return;
    if (kind === 'fill') this.#noteFee(instrument, fill);
    this.#told.note(instrument.id, kind === 'fill' ? ownStep(fill) : forcedStep(fill));
  }

  #noteFee(instrument: FuturesInstrument, fill: FillRecord): void {
    const isTaker = fill.liquidity === 'taker';
    if (isTaker && isForcedFee(instrument, fill, this.#termsAt(instrument.id, fill.eventTime)))
      this.#takersPayForced.add(instrument.id);
  }

  /** The terms of the config, with the taker fee that own orders were seen to pay. */
  #termsAt(instrumentId: InstrumentId, time: EpochMs): ForcedTerms {
    const terms = this.#options.termsAt(instrumentId, time);
    const { maxFeeRate } = terms;
    return this.#takersPayForced.has(instrumentId) ? { ...terms, takerRate: maxFeeRate } : terms;
  }

  /** Everything that has happened to a contract so far was judged and reported. */
  settle(instrumentId: InstrumentId): void {
    this.#told.settle(instrumentId);
  }

  /** Whether there is, or was, a position that the venue could close. A position may be over before the engine has its first fill. */
  mayConcern(instrumentId: InstrumentId, pending: readonly FillRecord[]): boolean {
    const { instrument, long, short } = this.#options.portfolio.instrument(instrumentId);
    if (instrument.kind !== 'futures') return false;
    const opens = pending.some(({ action }) => action === 'open');
    return opens || long.holding.quantity > 0n || short.holding.quantity > 0n;
  }

  /**
   * Whether the venue made a close that may also be of a trigger: the fee tells. If a taker pays the same, the close must have taken the whole side, whose margin
   * was used up, at the level of a standing trigger too: otherwise the trigger had fired before. `pending` are own fills that were not reported to the engine yet.
   */
  wasForced(
    instrumentId: InstrumentId,
    close: ExternalClose,
    {
      stop,
      pending,
    }: {
      readonly stop: Pick<VenueStop, 'level' | 'state'>;
      readonly pending: readonly FillRecord[];
    },
  ): boolean {
    const { instrument } = this.#options.portfolio.instrument(instrumentId);
    const { direction, quantity, trades } = close;
    const [first] = trades;
    if (instrument.kind !== 'futures' || first === undefined) return false;
    const terms = this.#termsAt(instrumentId, first.time);
    if (isFeeTelling(terms)) return trades.every((trade) => isForcedFee(instrument, trade, terms));
    const life = this.#lifeOf(instrument, [close], pending);
    const state = stateAt(life, first);
    if (state[direction].holding.quantity > quantity) return false;
    const isBeyondStop =
      stop.state === 'canceled' || isUsedUp(state, direction, { price: stop.level, terms });
    return isBeyondStop && this.#wasDue(instrument, close, life);
  }

  /**
   * Judges executions of unknown orders of one contract. `pending` are own fills that were not reported to the engine yet.
   *
   * @throws errors of the source.
   */
  async judge(
    instrumentId: InstrumentId,
    trades: readonly VenueTrade[],
    pending: readonly FillRecord[],
  ): Promise<ForcedVerdict> {
    const { instrument } = this.#options.portfolio.instrument(instrumentId);
    if (instrument.kind !== 'futures') return EXTERNAL;
    const closes = groupByOrder(trades);
    const held = this.#held(instrumentId, pending);
    if (DIRECTIONS.some((direction) => sumOfCloses(closes, direction) > held[direction]))
      return EXTERNAL;
    const { source, signal } = this.#options;
    for (const { venueOrderId } of closes) {
      const order = await source.order({ instrumentId, venueOrderId }, { signal });
      if (order === undefined || !isFinalStatus(order.status)) return UNDECIDED;
      if (order.action !== 'close' || order.type === 'limit') return EXTERNAL;
    }
    const account = await source.account('futures', { signal });
    if (account.kind !== 'futures') return EXTERNAL;
    const shown = heldContracts(account);
    const fits = DIRECTIONS.every(
      (direction) =>
        shown(instrumentId, direction) === held[direction] - sumOfCloses(closes, direction),
    );
    if (!fits) return UNDECIDED;
    const life = this.#lifeOf(instrument, closes, pending);
    const netted = findNetted(closes);
    const isEmpty = instrument.marginMode === 'cross' && isCrossGone(instrument, account);
    const isForced = closes.every(
      (close) => netted.size > 0 || isEmpty || this.#wasDue(instrument, close, life),
    );
    if (!isForced) return EXTERNAL;
    const causeOf = (close: ExternalClose): ForcedCause =>
      netted.has(close) ? 'netting' : 'liquidation';
    return { kind: 'forced', fills: this.#fills(instrument, { closes, causeOf, isEmpty, life }) };
  }

  #held(
    instrumentId: InstrumentId,
    pending: readonly FillRecord[],
  ): Readonly<Record<Direction, Fixed>> {
    const { long, short } = this.#options.portfolio.instrument(instrumentId);
    const held = { long: long.holding.quantity, short: short.holding.quantity };
    for (const fill of pending)
      held[directionOf(fill)] += fill.action === 'open' ? fill.quantity : -fill.quantity;
    return held;
  }

  /** Changes of a contract since its trades were last read in full. */
  #lifeOf(
    { id }: FuturesInstrument,
    closes: readonly ExternalClose[],
    pending: readonly FillRecord[],
  ): ContractLife {
    const { before, steps } = this.#told.since(id);
    const forced = closes.flatMap(({ trades }) => trades.map(forcedStep));
    return { before, steps: inOrder([...steps, ...pending.map(ownStep), ...forced]) };
  }

  /** Whether the margin was used up at the first close, or the fee is that of a forced close. */
  #wasDue(
    instrument: FuturesInstrument,
    { direction, trades }: ExternalClose,
    life: ContractLife,
  ): boolean {
    const [first] = trades;
    if (first === undefined) return false;
    const terms = this.#termsAt(instrument.id, first.time);
    const state = stateAt(life, first);
    const mark = this.#options.portfolio.mark(instrument.id);
    const prices = mark === undefined ? [first.price] : [first.price, mark];
    return (
      prices.some((price) => isUsedUp(state, direction, { price, terms })) ||
      trades.every((trade) => isForcedFee(instrument, trade, terms))
    );
  }

  /** State of a contract in the engine's portfolio. */
  #stateOf(instrumentId: InstrumentId): ContractState {
    const { portfolio, termsAt, now } = this.#options;
    return readContract(portfolio, instrumentId, (id) => termsAt(id, now()));
  }

  #fills(
    instrument: FuturesInstrument,
    {
      closes,
      causeOf,
      isEmpty,
      life: { before, steps },
    }: {
      readonly closes: readonly ExternalClose[];
      readonly causeOf: (close: ExternalClose) => ForcedCause;
      readonly isEmpty: boolean;
      readonly life: ContractLife;
    },
  ): readonly ForcedFillUpdate[] {
    const trades = closes.flatMap((close) => close.trades.map((trade) => ({ trade, close })));
    const fills: ForcedFillUpdate[] = [];
    let state = before;
    for (const step of steps) {
      const after = contractAfter(state, step);
      state = after.state;
      const found = trades.find(({ trade }) => trade.venueTradeId === step.id);
      if (step.kind === 'own' || found === undefined) continue;
      const cause = causeOf(found.close);
      const fill = forcedFill(instrument, found.trade, { cause, insurance: after.beyond });
      if (isEmpty) this.#ofEmptyAccount.add(fill);
      fills.push(fill);
    }
    return fills;
  }

  /**
   * Adds the venue's insurance payment to a close, when all earlier events were reported to the engine. On cross the payment depends on every
   * contract of the account, and comes with the last position.
   */
  withInsurance(forced: ForcedFillUpdate): ForcedFillUpdate {
    const { fill } = forced;
    const { instrument } = this.#options.portfolio.instrument(fill.instrumentId);
    if (instrument.kind !== 'futures' || instrument.marginMode === 'isolated') return forced;
    const { state } = contractAfter(this.#stateOf(instrument.id), forcedStep(fill));
    const isPaid = this.#ofEmptyAccount.has(forced) && this.#isCrossFlat(instrument, state);
    return isPaid ? { ...forced, insurance: -minFixed(state.crossBalance, 0n) } : forced;
  }

  /** Whether no cross position is left in any contract of the margin asset. */
  #isCrossFlat(instrument: FuturesInstrument, { long, short }: ContractState): boolean {
    const others = heldSides(this.#options.portfolio, instrument).filter(
      ({ instrument: { id, marginMode } }) => id !== instrument.id && marginMode === 'cross',
    );
    return others.length === 0 && long.holding.quantity === 0n && short.holding.quantity === 0n;
  }
}

/** Whether nothing is left of the account, and no cross position. Then the venue pays the loss beyond the account. */
function isCrossGone(
  { marginAsset }: FuturesInstrument,
  { accounts }: FuturesAccountSnapshot,
): boolean {
  const account = accounts.find((each) => each.marginAsset === marginAsset);
  if (account === undefined) return true;
  const holdsCross = account.positions.some(
    ({ isValid, quantity, marginMode }) => isValid && quantity > 0n && marginMode === 'cross',
  );
  return !holdsCross && account.available + account.locked <= 0n;
}

/** State of a contract right before a trade. */
function stateAt({ before, steps }: ContractLife, { venueTradeId }: VenueTrade): ContractState {
  let state = before;
  for (const step of steps) {
    if (step.id === venueTradeId) break;
    ({ state } = contractAfter(state, step));
  }
  return state;
}

/** Whether a forced close has another fee than a taker's. */
function isFeeTelling({ maxFeeRate, takerRate }: ForcedTerms): boolean {
  return maxFeeRate !== 0n && !isNear(maxFeeRate, takerRate, 100n);
}

/** Whether a fee equals that of a forced close, to a thousandth, and differs from the taker fee. */
function isForcedFee(
  instrument: FuturesInstrument,
  { quantity, price, fee }: Pick<VenueTrade, 'quantity' | 'price' | 'fee'>,
  terms: ForcedTerms,
): boolean {
  if (!isFeeTelling(terms)) return false;
  const { maxFeeRate } = terms;
  const value = contractValue(instrument, quantity, price);
  return isNear(fee, multiplyFixed(value, maxFeeRate), 1_000n);
}

function isNear(actual: Fixed, expected: Fixed, parts: bigint): boolean {
  const distance = actual < expected ? expected - actual : actual - expected;
  return distance * parts <= expected;
}

/** Turns an execution of an unknown order into a forced fill. */
export function forcedFill(
  instrument: Instrument,
  trade: VenueTrade,
  { cause, insurance }: { readonly cause: ForcedCause; readonly insurance: Fixed },
): ForcedFillUpdate {
  const { id: instrumentId } = instrument;
  const asset = instrument.kind === 'futures' ? instrument.marginAsset : instrument.quote;
  const { venueTradeId, side, price, quantity, fee, feeAsset, liquidity, time } = trade;
  return {
    kind: 'forced-fill',
    cause,
    fill: {
      clientOrderId: `${cause}-${venueTradeId}` as FillRecord['clientOrderId'],
      instrumentId,
      side,
      action: 'close',
      price,
      quantity,
      fee,
      feeAsset: feeAsset ?? asset,
      liquidity,
      eventTime: time,
      venueTradeId,
    },
    insurance,
    eventTime: time,
  };
}
