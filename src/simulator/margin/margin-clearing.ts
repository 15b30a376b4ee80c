import {
  FIXED_ONE,
  HOUR_MS,
  MARGIN_CALL_LEVEL,
  MARGIN_WARN_LEVEL,
  multiplyFixed,
  type Asset,
  type EpochMs,
  type Fixed,
} from '../../domain/index.js';
import { InstantSteps } from '../instant-steps.js';
import type { InstrumentMarket } from '../instrument-market.js';
import { atMillisecond, type Crossing } from '../path/candle-path.js';
import { SafeStretch } from '../path/safe-stretch.js';
import type { MarginAccount } from './margin-account.js';
import { MarginCaller, type MarginCallerOptions } from './margin-caller.js';
import { MarginGuard } from './margin-guard.js';
import { firstShort, isShortAt, type WeighedRoute } from './margin-level-search.js';
import { priceOver } from './margin-prices.js';

type MarginClearingOptions = MarginCallerOptions;

/**
 * What the venue does about borrowed assets by itself: it charges interest, warns, and makes margin calls (DESIGN R13). It acts only when the venue
 * calls it for an instant.
 */
export class MarginClearing {
  readonly #options: MarginClearingOptions;
  readonly #account: MarginAccount;
  readonly #guard: MarginGuard;
  readonly #stretch: SafeStretch;
  /** The point at which the account's prices are read. */
  #now: Crossing = atMillisecond(Number.NEGATIVE_INFINITY);
  #settledUntil: EpochMs = Number.NEGATIVE_INFINITY;
  #isWarned = false;
  /** Pairs with a price. Each may lead an asset to the currency. */
  #started = 0;
  readonly #caller: MarginCaller;
  readonly #steps = new InstantSteps('margin calls');
  #weighed: { readonly version: number; readonly assets: readonly WeighedRoute[] } | undefined;
  #found: { readonly version: number; readonly at: Crossing | undefined } | undefined;
  /** The account's version when its level was last checked. */
  #lookedAt: number | undefined;

  constructor(options: MarginClearingOptions) {
    this.#options = options;
    this.#account = options.account;
    this.#caller = new MarginCaller(options);
    this.#guard = new MarginGuard(options.markets.length);
    const prices = options.markets.map((market, place) => ({
      place,
      market,
      sources: [market.candles],
      matters: () => this.#isWatched() && market.hasStarted,
    }));
    this.#stretch = new SafeStretch(() => this.#version, [{ guard: this.#guard, prices }]);
  }

  /** Changes with the assets, with the debts, with the watched level, and with the pairs that have a price. */
  get #version(): number {
    return 2 * (this.#account.version + this.#started) + (this.#isWarned ? 1 : 0);
  }

  /** Whether prices matter. If so, updates the weights of the guard. */
  #isWatched(): boolean {
    if (!this.#account.ledger.isIndebted) return false;
    this.#weigh();
    return true;
  }

  /** Whether the venue has warned and now watches for a call. */
  get isWarned(): boolean {
    return this.#isWarned;
  }

  // Time.

  /** Moves the account's prices to an instant. */
  moveTo(time: EpochMs): void {
    this.#now = atMillisecond(time);
  }

  /** Price of an asset now. */
  priceOf(asset: Asset): Fixed {
    return this.#options.prices.priceAt(asset, this.#now);
  }

  /** Call it when a candle opens or closes, because the paths change. */
  invalidate(): void {
    this.#found = undefined;
    const { markets } = this.#options;
    if (this.#started < markets.length)
      this.#started = markets.filter(({ hasStarted }) => hasStarted).length;
  }

  /** Time until which the account cannot be warned or called, whatever the paths; at most `limit`. */
  provenUntil(limit: EpochMs): EpochMs {
    return this.#stretch.provenUntil(limit);
  }

  // Interest.

  /** When interest is due next; Infinity while nothing is owed. */
  nextDue(): EpochMs {
    if (!this.#account.ledger.isIndebted) return Number.POSITIVE_INFINITY;
    return (Math.floor(this.#settledUntil / HOUR_MS) + 1) * HOUR_MS;
  }

  settle(time: EpochMs): void {
    if (this.nextDue() === time) this.#account.chargeHour(time);
    this.passBoundary(time);
  }

  /** Debts that begin from now on are not charged for hours up to `time`. */
  passBoundary(time: EpochMs): void {
    this.#settledUntil = Math.max(this.#settledUntil, time);
    if (this.#now.time < time) this.moveTo(time);
  }

  // Level.

  /** When the level reaches the warning or call level in the open candles; undefined if it does not. */
  nextTime(): EpochMs | undefined {
    if (!this.#account.ledger.isIndebted) return undefined;
    const version = this.#version;
    if (this.#found?.version !== version) this.#found = { version, at: this.#search() };
    return this.#found.at?.time;
  }

  #search(): Crossing | undefined {
    const open = this.#options.markets.filter(({ isOpen }) => isOpen);
    if (open.length === 0) return undefined;
    const from = Math.max(...open.map(({ cursor }) => cursor));
    const to = Math.min(...open.map(({ closeTime }) => closeTime));
    if (from > to || this.#isRuledOut()) return undefined;
    for (const market of open) this.#noteDoubt(market, atMillisecond(from));
    return this.#walk(open, from, to);
  }

  #isRuledOut(): boolean {
    this.#weigh();
    for (const [place, market] of this.#options.markets.entries())
      if (market.hasStarted) this.#guard.setRange(place, market.low, market.high);
    return this.#guard.isSafe();
  }

  #walk(open: readonly InstrumentMarket[], from: EpochMs, to: EpochMs): Crossing | undefined {
    const assets = this.#weigh();
    if (isShortAt(assets, atMillisecond(from))) return atMillisecond(from);
    /** Corners of the paths, and whether a path jumps there. */
    const corners = new Map([[to, false]]);
    for (const market of open)
      for (const [index, { toTime, to: price }] of market.path().segments.entries()) {
        if (toTime <= from || toTime > to) continue;
        const next = market.path().segments[index + 1];
        const jumps = next !== undefined && next.from !== price;
        corners.set(toTime, jumps || corners.get(toTime) === true);
      }
    let before = from;
    for (const [corner, jumps] of [...corners].sort(([a], [b]) => a - b)) {
      const short = firstShort(assets, { from: before, to: corner, jumps });
      if (short !== undefined) return short;
      before = corner;
    }
    return undefined;
  }

  get #watchedLevel(): Fixed {
    return this.#isWarned ? MARGIN_CALL_LEVEL : MARGIN_WARN_LEVEL;
  }

  /** What counts for the watched level, with its prices. */
  #weigh(): readonly WeighedRoute[] {
    const version = this.#version;
    if (this.#weighed?.version === version) return this.#weighed.assets;
    const assets = this.#weighedAt(this.#watchedLevel);
    this.#weighed = { version, assets };
    const { markets } = this.#options;
    this.#guard.setWeights(
      assets.flatMap(({ weight, route }) =>
        route === undefined
          ? []
          : [{ weight, places: route.map((market) => markets.indexOf(market)) }],
      ),
    );
    return assets;
  }

  #weighedAt(level: Fixed): readonly WeighedRoute[] {
    const { ledger } = this.#account;
    return [...ledger.totals()].flatMap(([asset, owned]) => {
      const weight = owned * FIXED_ONE - level * (owned - ledger.net(asset));
      return weight === 0n ? [] : [{ asset, weight, route: this.#options.prices.routeOf(asset) }];
    });
  }

  /** Warns or calls at the point that {@link nextTime} has found. */
  actAt(time: EpochMs): void {
    const found = this.#found?.at;
    this.#act(found?.time === time ? found : atMillisecond(time));
  }

  #act(at: Crossing): void {
    const { time } = at;
    this.#now = at;
    const verdict = this.#account.ledger.assess((asset) => this.priceOf(asset));
    if (verdict.kind === 'warning') {
      this.#isWarned = true;
      this.#options.onUpdate({ kind: 'margin-warning', level: verdict.level, eventTime: time });
    } else if (verdict.kind === 'call') {
      this.#caller.call(verdict.plan, at);
      // No debt is left: the next one starts without a warning.
      this.#account.ledger.assess((asset) => this.priceOf(asset));
      this.#isWarned = false;
    }
  }

  /** Warns or calls if something has changed since the last check: a fill, or interest. While no candle is open, it waits for the next open. */
  actOnChange(time: EpochMs): void {
    if (!this.#options.markets.some(({ isOpen }) => isOpen)) return;
    while (this.#lookedAt !== this.#version) {
      this.#steps.count(time);
      this.#lookedAt = this.#version;
      if (this.#account.ledger.isIndebted && isShortAt(this.#weigh(), atMillisecond(time)))
        this.#act(atMillisecond(time));
    }
  }

  /** Warns or calls at the prices with which candles opened. If the level has risen above the warning level, the account may be warned again. */
  actAtOpen(time: EpochMs): void {
    this.moveTo(time);
    const { ledger } = this.#account;
    if (this.#isWarned && !this.#isAtWarning(time)) {
      this.#isWarned = false;
      // The ledger must forget its warning too; otherwise it would never report the next one.
      ledger.assess((asset) => this.priceOf(asset));
    }
    this.#lookedAt = undefined;
    this.actOnChange(time);
  }

  #isAtWarning(time: EpochMs): boolean {
    const assets = this.#weighedAt(MARGIN_WARN_LEVEL);
    return this.#account.ledger.isIndebted && isShortAt(assets, atMillisecond(time));
  }

  /**
   * Notes a candle in which the level may fall so far that the venue acts. The candle's extremes count as levels like any other (DESIGN R16): the low for
   * an asset that counts for the account, the high for one that counts against it. These assets are the base, and those that are worth something through
   * the pair. The pairs before it on their way count at their prices now.
   */
  #noteDoubt(market: InstrumentMarket, now: Crossing): void {
    const { low, high } = market.shape();
    for (const { asset, weight, route = [] } of this.#weigh()) {
      const place = route.indexOf(market);
      if (place < 0) continue;
      const net = this.#account.ledger.net(asset);
      const quantity = multiplyFixed(net < 0n ? -net : net, priceOver(route.slice(0, place), now));
      const level = weight > 0n ? low : high;
      market.doubt.notePosition({ name: asset, level, money: multiplyFixed(quantity, level) });
    }
  }
}
