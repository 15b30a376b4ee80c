import {
  flowsOfFill,
  isFinalStatus,
  MARGIN_CALL_LEVEL,
  maxFixed,
  minFixed,
  MINUTE_MS,
  multiplyFixed,
  parseFixed,
  type Asset,
  type EpochMs,
  type FillRecord,
  type Fixed,
  type InstrumentId,
  type MarginInstrument,
} from '../../domain/index.js';
import { marginLevel, type Portfolio } from '../../engine/index.js';
import type { AccountSource, VenueTrade } from '../../venue/index.js';
import { groupByOrder, type ExternalClose } from '../account/external-closes.js';
import { forcedFill, type ForcedFillUpdate, type ForcedVerdict } from './forced-trades.js';

export interface MarginCallsOptions {
  readonly source: Pick<AccountSource, 'order'>;
  readonly portfolio: Portfolio;
  readonly signal: AbortSignal;
  /** Takes external executions that closed a part of the bot's position. */
  readonly onExternal: (trades: readonly VenueTrade[]) => void;
}

/** Tolerance of the level: own books and the venue's differ by estimated interest, and by the prices they use. */
const CALL_BAND: Fixed = parseFixed('1.02');
/** A margin call sells pair after pair. The level rises after the first sale, so later sales within this time belong to the same call. */
const SAME_CALL_MS = MINUTE_MS;
/** Part of the sold quantity that may be left, as less than a step. */
const REST_PARTS = 100n;

/**
 * Books events on a margin account that the bot did not cause. The venue shows no balances, so executions are the only source.
 *
 * An execution of an order that no journal knows is booked as a forced trade if it sells owned assets or buys back owed ones. It is a margin call if
 * its order is no LIMIT, has ended, and the level by the bot's own books was low enough; otherwise it is `external`, and also reported as an external
 * execution. Assets that others bought or borrowed are not booked: they are external.
 */
export class MarginCalls {
  readonly #options: MarginCallsOptions;
  /** Time of the last margin call. */
  #calledAt: EpochMs = Number.NEGATIVE_INFINITY;

  constructor(options: MarginCallsOptions) {
    this.#options = options;
  }

  /** Whether anything is owned or owed that others could have closed. */
  mayConcern(instrumentId: InstrumentId, pending: readonly FillRecord[]): boolean {
    const { instrument } = this.#options.portfolio.instrument(instrumentId);
    if (instrument.kind !== 'margin') return false;
    return this.#net(instrument, pending) !== 0n;
  }

  /** Judges executions as `ForcedTrades.judge` does for contracts. @throws errors of the source. */
  async judge(
    instrumentId: InstrumentId,
    trades: readonly VenueTrade[],
    pending: readonly FillRecord[],
  ): Promise<ForcedVerdict> {
    const { source, signal, portfolio, onExternal } = this.#options;
    const { instrument } = portfolio.instrument(instrumentId);
    if (instrument.kind !== 'margin') return { kind: 'external' };
    const closes = groupByOrder(trades);
    if (!this.#fits(instrument, closes, pending)) return { kind: 'external' };
    let isMarket = true;
    for (const { venueOrderId } of closes) {
      const order = await source.order({ instrumentId, venueOrderId }, { signal });
      if (order === undefined || !isFinalStatus(order.status)) return { kind: 'undecided' };
      if (order.type === 'limit') isMarket = false;
    }
    const isCall = isMarket && trades.every((trade) => this.#wasDue(instrument, trade, pending));
    if (isCall) this.#calledAt = Math.max(...trades.map(({ time }) => time));
    else onExternal(trades);
    const cause = isCall ? 'margin-call' : 'external';
    const fills = closes.flatMap((close) =>
      close.trades.map((trade) => forcedFill(instrument, trade, { cause, insurance: 0n })),
    );
    return { kind: 'forced', fills };
  }

  /** Base quantity; negative: owed. */
  #net(instrument: MarginInstrument, pending: readonly FillRecord[]): Fixed {
    const told = this.#options.portfolio.total(instrument.base, 'margin');
    return told + (flowsBy(instrument, pending).get(instrument.base) ?? 0n);
  }

  /** Whether all executions close one side, and no more than its quantity. Buying back may exceed it by a step. */
  #fits(
    instrument: MarginInstrument,
    closes: readonly ExternalClose[],
    pending: readonly FillRecord[],
  ): boolean {
    const net = this.#net(instrument, pending);
    const direction = net > 0n ? 'long' : 'short';
    if (net === 0n || closes.some((close) => close.direction !== direction)) return false;
    const held = net < 0n ? -net : net;
    const sum = closes.reduce((total, { quantity }) => total + quantity, 0n);
    return sum <= held + held / REST_PARTS;
  }

  #wasDue(
    instrument: MarginInstrument,
    { price, time }: VenueTrade,
    pending: readonly FillRecord[],
  ): boolean {
    if (Math.abs(time - this.#calledAt) <= SAME_CALL_MS) return true;
    const { portfolio } = this.#options;
    const flows = flowsBy(instrument, pending);
    const worth = multiplyFixed(price, portfolio.worthOf(instrument.quote) ?? 0n);
    const levels = [undefined, { asset: instrument.base, worth }].map((priced) =>
      marginLevel(portfolio, { flows, priced }),
    );
    const most = multiplyFixed(MARGIN_CALL_LEVEL, CALL_BAND);
    return levels.some((level) => level !== undefined && level <= most);
  }

  /** Adds the venue's loss to a margin call, when all earlier events were reported to the engine: debt that is left after everything was sold. */
  withInsurance(forced: ForcedFillUpdate): ForcedFillUpdate {
    const { portfolio } = this.#options;
    const { instrument } = portfolio.instrument(forced.fill.instrumentId);
    if (instrument.kind !== 'margin' || forced.cause !== 'margin-call') return forced;
    const flows = flowsOfFill(instrument, forced.fill);
    const after = (asset: Asset): Fixed =>
      portfolio.total(asset, 'margin') + (flows.get(asset) ?? 0n);
    const rest = after(instrument.base);
    const isSold = (rest < 0n ? -rest : rest) * REST_PARTS <= forced.fill.quantity;
    if (!isSold || !this.#isLast(instrument)) return forced;
    return { ...forced, insurance: maxFixed(-after(instrument.quote), 0n) };
  }

  /** Whether no other coin is owned or owed. */
  #isLast({ base, quote }: MarginInstrument): boolean {
    const { portfolio } = this.#options;
    return [...(portfolio.balances().margin ?? [])].every(
      ([asset, total]) => asset === base || asset === quote || minFixed(total, 0n) === 0n,
    );
  }
}

function flowsBy(
  instrument: MarginInstrument,
  fills: readonly FillRecord[],
): ReadonlyMap<Asset, Fixed> {
  const sums = new Map<Asset, Fixed>();
  for (const fill of fills)
    for (const [asset, amount] of flowsOfFill(instrument, fill))
      sums.set(asset, (sums.get(asset) ?? 0n) + amount);
  return sums;
}
