import {
  present,
  type Asset,
  type EpochMs,
  type Fixed,
  type InstrumentId,
} from '../domain/index.js';
import { PARTS_OF_MS, type Crossing, type PathSegment } from './candle-path.js';
import type { FuturesAccount } from './futures-account.js';
import { markAtCrossing, type MarkMoves } from './futures/liquidation-search.js';
import type { InstantSide, MarkFeed } from './mark-feed.js';
import { SafeStretch } from './safe-stretch.js';

/** Where the marks of one margin asset liquidate something. */
export interface LiquidationPoint extends Crossing {
  readonly asset: Asset;
  /** How the marks went there. */
  readonly moves: MarkMoves;
  /** Marks there, of the contracts that are held. */
  readonly marks: ReadonlyMap<InstrumentId, Fixed>;
}

/** A contract that is held, with its mark. */
export interface HeldContract {
  readonly instrumentId: InstrumentId;
  readonly asset: Asset;
  readonly feed: MarkFeed;
}

/** The contracts whose margin is one asset. */
interface AssetContracts {
  readonly asset: Asset;
  readonly contracts: readonly HeldContract[];
}

/**
 * Finds when the paths of the marks come to where something is liquidated (DESIGN R12), within the candles that are open. Most candles are
 * ruled out by their extremes; the rest is searched piece by piece, exactly.
 */
export class LiquidationWatch {
  readonly #account: FuturesAccount;
  readonly #contracts: readonly HeldContract[];
  readonly #assets: readonly AssetContracts[];
  readonly #stretch: SafeStretch;
  /** What the last search found; it holds until something changes or a candle opens or closes. */
  #found: LiquidationPoint | undefined;
  /** The version that was searched, if it still holds. */
  #searched: number | undefined;
  /** Where something was liquidated last, by asset: the rest of that millisecond has not been looked at. */
  readonly #passed = new Map<Asset, LiquidationPoint>();
  /** Takes each contract of an asset whose money may not suffice in the candle that is open; for the count of undecided candles. */
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

  /** Contracts of which something is held. */
  held(asset?: Asset): readonly HeldContract[] {
    const { ledger } = this.#account;
    return this.#contracts.filter(
      (contract) =>
        (asset === undefined || contract.asset === asset) && ledger.isHeld(contract.instrumentId),
    );
  }

  /** Whether a candle is open of a contract that is held with this margin. Asked after each fill: nothing is made for it. */
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

  /** Up to when nothing can be liquidated, whatever the paths, `limit` at most. Fast, for whole candles that pass. */
  provenUntil(limit: EpochMs): EpochMs {
    return this.#stretch.provenUntil(limit);
  }

  /** A candle opened or closed: the paths are others. */
  invalidate(): void {
    this.#searched = undefined;
  }

  /** The earliest point in the candles that are open, from where they stand; undefined when there is none. */
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

  /** Asked with each order: nothing is made before there is doubt. */
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
    // None is open, or it is over.
    if (to === Number.POSITIVE_INFINITY || from > to || this.#isRuledOut(asset, contracts, to))
      return undefined;
    ledger.noteSearch(asset);
    const held = this.held(asset);
    for (const contract of held) if (contract.feed.market.isOpen) this.#onDoubt(contract);
    return this.#goOn(asset, from) ?? this.#walk(asset, held, { from, to });
  }

  /** Several may come to their levels within one millisecond, each to its own. */
  #goOn(asset: Asset, from: EpochMs): LiquidationPoint | undefined {
    const passed = this.#passed.get(asset);
    if (passed?.time !== from) return undefined;
    const { moves } = passed;
    const at = this.#account.ledger.nextLiquidation(asset, moves, passed);
    return at && pointAt(asset, moves, at);
  }

  /** What is due at a point is done. */
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

  /** Straight piece after straight piece: between two corners of any of the paths. */
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
    // A path that ends here was not left behind: what it ends at counts too.
    if (times.length === 1) times.push(to);
    for (let index = 1; index < times.length; index += 1) {
      const [fromTime, toTime] = [present(times[index - 1], 'a'), present(times[index], 'b')];
      const moves = new Map(
        held.map(({ instrumentId, feed }, at): [InstrumentId, PathSegment] => [
          instrumentId,
          pieceOver(pieces[at] ?? [], { fromTime, toTime }) ??
            // Where the path ends no candle has opened yet: what opens then is looked at as it opens.
            still(feed, fromTime, fromTime === toTime ? 'before' : 'after'),
        ]),
      );
      const at = this.#account.ledger.firstLiquidation(asset, moves, { fromTime, toTime });
      if (at !== undefined) return pointAt(asset, moves, at);
    }
    return undefined;
  }

  /** Marks of what is held of an asset, at an instant. */
  marksAt(asset: Asset, time: EpochMs, side: InstantSide): ReadonlyMap<InstrumentId, Fixed> {
    return new Map(
      this.held(asset).map(({ instrumentId, feed }) => [instrumentId, feed.at(time, side)]),
    );
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

/** A mark that does not move: its candle is not open. */
function still(feed: MarkFeed, time: EpochMs, side: InstantSide): PathSegment {
  const price = feed.at(time, side);
  return { fromTime: time, toTime: time + 1, from: price, to: price };
}

function pointAt(asset: Asset, moves: MarkMoves, at: Crossing): LiquidationPoint {
  const marks = new Map([...moves].map(([id, piece]) => [id, markAtCrossing(piece, at)]));
  return { asset, time: at.time, part: at.part, moves, marks };
}
