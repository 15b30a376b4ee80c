import {
  present,
  type Asset,
  type EpochMs,
  type Fixed,
  type InstrumentId,
} from '../../domain/index.js';
import { PARTS_OF_MS, type Crossing, type PathSegment } from '../path/candle-path.js';
import type { InstantSide, MarkFeed } from '../path/mark-feed.js';
import { SafeStretch } from '../path/safe-stretch.js';
import type { FuturesAccount } from './futures-account.js';
import { markAtCrossing, type MarkMoves } from './liquidation-search.js';

/** The point at which the marks of one margin asset cause a liquidation. */
export interface LiquidationPoint extends Crossing {
  readonly asset: Asset;
  /** The moves of the marks that lead to the point. */
  readonly moves: MarkMoves;
  /** Marks at the point, of the held contracts. */
  readonly marks: ReadonlyMap<InstrumentId, Fixed>;
}

/** A contract with its margin asset and its mark. Not every such contract is held now. */
export interface HeldContract {
  readonly instrumentId: InstrumentId;
  readonly asset: Asset;
  readonly feed: MarkFeed;
}

/** The contracts with the same margin asset. */
interface AssetContracts {
  readonly asset: Asset;
  readonly contracts: readonly HeldContract[];
}

/**
 * Finds when the paths of the marks cause a liquidation (DESIGN R12), within the open candles. The extremes of most candles prove that there is none.
 * The other candles are searched piece by piece, exactly.
 */
export class LiquidationWatch {
  readonly #account: FuturesAccount;
  readonly #contracts: readonly HeldContract[];
  readonly #assets: readonly AssetContracts[];
  readonly #stretch: SafeStretch;
  /** Result of the last search. It is valid until something changes or a candle opens or closes. */
  #found: LiquidationPoint | undefined;
  /** The account's version at the last search; undefined if the result is no longer valid. */
  #searched: number | undefined;
  /** The last liquidation point by asset. The rest of its millisecond has not been searched. */
  readonly #passed = new Map<Asset, LiquidationPoint>();
  /** Is called with each contract of an asset whose money may not suffice in the open candle. Used to count undecided candles. */
  readonly #onDoubt: (contract: HeldContract) => void;

  constructor(
    account: FuturesAccount,
    contracts: readonly HeldContract[],
    onDoubt: (contract: HeldContract) => void,
  ) {
    this.#account = account;
    this.#contracts = contracts;
    this.#onDoubt = onDoubt;
    this.#assets = [...new Set(contracts.map(({ asset }) => asset))].map((asset) => ({
      asset,
      contracts: contracts.filter((contract) => contract.asset === asset),
    }));
    const { ledger } = account;
    this.#stretch = new SafeStretch(
      () => account.version,
      this.#assets.map(({ asset, contracts: ofAsset }) => ({
        guard: ledger.guard(asset),
        prices: ofAsset.map(({ instrumentId, feed: { market, sources } }) => ({
          place: ledger.placeOf(instrumentId),
          market,
          sources,
          matters: () => ledger.isHeld(instrumentId),
        })),
      })),
    );
  }

  /** Held contracts, of one margin asset or of all. */
  held(asset?: Asset): readonly HeldContract[] {
    const { ledger } = this.#account;
    return this.#contracts.filter(
      (contract) =>
        (asset === undefined || contract.asset === asset) && ledger.isHeld(contract.instrumentId),
    );
  }

  /** Whether a held contract with this margin has an open candle. Called after each fill, so it allocates nothing. */
  isUnderWay(asset: Asset): boolean {
    const { ledger } = this.#account;
    for (const contract of this.#contracts)
      if (
        contract.asset === asset &&
        contract.feed.market.isOpen &&
        ledger.isHeld(contract.instrumentId)
      )
        return true;
    return false;
  }

  /** Time until which nothing can be liquidated, whatever the paths; at most `limit`. Fast for whole candles. */
  provenUntil(limit: EpochMs): EpochMs {
    return this.#stretch.provenUntil(limit);
  }

  /** Call it when a candle opens or closes, because the paths change. */
  invalidate(): void {
    this.#searched = undefined;
  }

  /** The earliest point in the open candles, from the cursors of their markets on; undefined if there is none. */
  next(): LiquidationPoint | undefined {
    const { version } = this.#account;
    if (this.#searched !== version) {
      this.#found = this.#search();
      this.#searched = version;
    }
    return this.#found;
  }

  #search(): LiquidationPoint | undefined {
    let first: LiquidationPoint | undefined;
    for (const { asset, contracts } of this.#assets) {
      const point = this.#searchAsset(asset, contracts);
      if (point !== undefined && (first === undefined || point.time < first.time)) first = point;
    }
    return first;
  }

  /** Called with each order, so it allocates nothing before there is doubt. */
  #searchAsset(asset: Asset, contracts: readonly HeldContract[]): LiquidationPoint | undefined {
    const { ledger } = this.#account;
    let from = Number.NEGATIVE_INFINITY;
    let to = Number.POSITIVE_INFINITY;
    for (const { instrumentId, feed } of contracts) {
      const { market } = feed;
      if (!market.isOpen || !ledger.isHeld(instrumentId)) continue;
      from = Math.max(from, market.cursor);
      to = Math.min(to, market.closeTime);
    }
    // No candle is open, or its path has ended.
    if (to === Number.POSITIVE_INFINITY || from > to || this.#isRuledOut(asset, contracts, to))
      return undefined;
    ledger.noteSearch(asset);
    const held = this.held(asset);
    for (const contract of held) if (contract.feed.market.isOpen) this.#onDoubt(contract);
    return this.#goOn(asset, from) ?? this.#walk(asset, held, { from, to });
  }

  /** Several positions may reach their levels within one millisecond, each at its own part of it. */
  #goOn(asset: Asset, from: EpochMs): LiquidationPoint | undefined {
    const passed = this.#passed.get(asset);
    if (passed?.time !== from) return undefined;
    const { moves } = passed;
    const at = this.#account.ledger.nextLiquidation(asset, moves, passed);
    return at && pointAt(asset, moves, at);
  }

  /** Records that the steps of a point are done. */
  pass(point: LiquidationPoint): void {
    if (point.part < PARTS_OF_MS) this.#passed.set(point.asset, point);
  }

  #isRuledOut(asset: Asset, contracts: readonly HeldContract[], to: EpochMs): boolean {
    const { ledger } = this.#account;
    const guard = ledger.guard(asset);
    for (const { instrumentId, feed } of contracts) {
      if (!ledger.isHeld(instrumentId)) continue;
      const { low, high } = feed.range(to);
      guard.setRange(ledger.placeOf(instrumentId), low, high);
    }
    return guard.isSafe();
  }

  /** Searches one straight piece after another: each lies between two corners of any of the paths. */
  #walk(
    asset: Asset,
    held: readonly HeldContract[],
    { from, to }: { readonly from: EpochMs; readonly to: EpochMs },
  ): LiquidationPoint | undefined {
    const pieces = held.map(({ feed }) => feed.segments(from, to));
    const corners = new Set([from, to]);
    for (const { fromTime, toTime } of pieces.flat())
      for (const time of [fromTime, toTime]) if (time > from && time < to) corners.add(time);
    const times = [...corners].sort((a, b) => a - b);
    // The paths end at this instant, and their end has not been searched yet.
    if (times.length === 1) times.push(to);
    for (let index = 1; index < times.length; index += 1) {
      const [fromTime, toTime] = [present(times[index - 1], 'a'), present(times[index], 'b')];
      const moves = new Map(
        held.map(({ instrumentId, feed }, at): [InstrumentId, PathSegment] => [
          instrumentId,
          pieceOver(pieces[at] ?? [], { fromTime, toTime }) ??
            // At the end of the path no new candle has opened. The next open is checked when it happens.
            still(feed, fromTime, fromTime === toTime ? 'before' : 'after'),
        ]),
      );
      const at = this.#account.ledger.firstLiquidation(asset, moves, { fromTime, toTime });
      if (at !== undefined) return pointAt(asset, moves, at);
    }
    return undefined;
  }
}

function pieceOver(
  pieces: readonly PathSegment[],
  { fromTime, toTime }: { readonly fromTime: EpochMs; readonly toTime: EpochMs },
): PathSegment | undefined {
  return pieces.find(
    (one) => one.fromTime <= fromTime && one.toTime >= toTime && one.toTime > one.fromTime,
  );
}

/** A mark that does not move, because its candle is not open. */
function still(feed: MarkFeed, time: EpochMs, side: InstantSide): PathSegment {
  const price = feed.at(time, side);
  return { fromTime: time, toTime: time + 1, from: price, to: price };
}

function pointAt(asset: Asset, moves: MarkMoves, at: Crossing): LiquidationPoint {
  const marks = new Map([...moves].map(([id, piece]) => [id, markAtCrossing(piece, at)]));
  return { asset, time: at.time, part: at.part, moves, marks };
}
