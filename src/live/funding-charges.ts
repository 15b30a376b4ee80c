import {
  formatUtc,
  HOUR_MS,
  MINUTE_MS,
  type Asset,
  type Direction,
  type EpochMs,
  type Fixed,
  type FuturesInstrument,
  type InstrumentId,
} from '../domain/index.js';
import { compareIds, type MarketFeed, type SharedAccount } from '../feed/index.js';
import type { AccountSource, AccountUpdate, ProfitRecord, VenuePosition } from '../venue/index.js';
import { sideKey } from '../engine/index.js';
import type { FundingRateWatch } from './funding-rate-watch.js';

export interface FundingChargesOptions {
  readonly source: Pick<AccountSource, 'account' | 'profits'>;
  /** The futures account, shared by bots on one key. @defaultValue `source` is read */
  readonly account?: Pick<SharedAccount, 'read'> | undefined;
  readonly feed: Pick<MarketFeed, 'readMark'>;
  /** Rate of the funding that was just paid, if the venue now shows `shown`. */
  readonly paidRate: FundingRateWatch['paid'];
  readonly signal: AbortSignal;
  /** Contracts that the bot trades. */
  readonly contracts: readonly FuturesInstrument[];
  /** Whether a contract is gone from the venue. Its funding is read when it is there again. @defaultValue all are there */
  readonly isGone?: ((instrumentId: InstrumentId) => boolean) | undefined;
  /** Whether the bot's books have a position on a side of a contract. */
  readonly holds: (instrumentId: InstrumentId, direction: Direction) => boolean;
  /** Time up to which all funding is known. */
  readonly since: EpochMs;
  /** Funding of open positions that was already reported, by `sideKey`. @defaultValue none */
  readonly told?: ReadonlyMap<string, Fixed> | undefined;
  readonly onUpdate: (update: AccountUpdate) => void;
  /** Called when the funding of an ended position cannot be found out. */
  readonly onMissing: (text: string) => void;
}

/** One side of a contract. */
interface Side {
  readonly instrumentId: InstrumentId;
  readonly direction: Direction;
  /** Its margin asset. */
  readonly asset: Asset;
  readonly key: string;
}

const DIRECTIONS: readonly Direction[] = ['long', 'short'];

/** A position may have ended this much before it was last known to be held: its end may not have been reported by then. */
const UNTOLD_MS = MINUTE_MS;

const PAGE_SIZE = 1_000;

/**
 * A venue may post funding some seconds after the hour. So it is read again this long after the hour, and a position that ended meanwhile still
 * counts as held.
 */
const LATE_MS = MINUTE_MS;

/** Funding that was reported for the position of a side. */
interface Told {
  readonly amount: Fixed;
  /** The venue's id of the position; undefined until this process has seen it. */
  readonly positionId: string | undefined;
}

/**
 * Reports funding that positions have paid or received: at each full hour, a minute later, and at a start for the time without a bot.
 *
 * The account shows the funding of held positions. The list of results shows that of ended positions: closed or liquidated between a settlement and
 * the reading after it.
 */
export class FundingCharges {
  readonly #options: FundingChargesOptions;
  readonly #sides: readonly Side[];
  readonly #told: Map<string, Told>;
  /** Sides that were held at the last look. */
  #held = new Set<Side>();
  /** Time of that look. */
  #heldAt: EpochMs;
  #readAt: EpochMs;

  constructor(options: FundingChargesOptions) {
    this.#options = options;
    const { contracts, since, told = new Map<string, Fixed>() } = options;
    this.#sides = contracts.flatMap(({ id: instrumentId, marginAsset: asset }) =>
      DIRECTIONS.map((direction) => ({
        ...{ instrumentId, asset, direction },
        key: sideKey(instrumentId, direction),
      })),
    );
    this.#told = new Map(
      [...told].map(([key, amount]) => [key, { amount, positionId: undefined }]),
    );
    this.#readAt = since;
    this.#heldAt = since;
    this.#noteHeld(since);
  }

  /** Looks at held sides. Returns whether they may have been charged since the last reading. Charges come at full hours. */
  look(now: EpochMs): boolean {
    if (this.#isDue(now)) {
      if (this.#heldOrEnded().length > 0) return true;
      this.#readAt = now;
    }
    if (!isSoonAfterHour(now)) this.#noteHeld(now);
    return false;
  }

  /** Reports charges since the last reading. @throws errors of the source; the next reading then covers this time too. */
  async read(now: EpochMs): Promise<void> {
    await this.#readSides(now);
    this.#readAt = now;
    this.#noteHeld(now);
  }

  /**
   * Reports charges from the time without a bot, before executions are read that ended a position later. Positions that the bot does not know yet are
   * read the next time.
   *
   * @throws errors of the source.
   */
  async readFirst(now: EpochMs): Promise<void> {
    if (this.#isDue(now) && this.#held.size > 0) await this.#readSides(now);
  }

  #isDue(now: EpochMs): boolean {
    return readingOf(now) !== readingOf(this.#readAt);
  }

  #heldOrEnded(): readonly Side[] {
    const { isGone } = this.#options;
    return this.#sides.filter(
      (side) => (this.#held.has(side) || this.#holds(side)) && isGone?.(side.instrumentId) !== true,
    );
  }

  async #readSides(now: EpochMs): Promise<void> {
    const { source, account, signal } = this.#options;
    const snapshot = await (account?.read({ since: now, signal }) ??
      source.account('futures', { signal }));
    if (snapshot.kind !== 'futures') return;
    const positions = snapshot.accounts.flatMap((each) => each.positions);
    for (const side of this.#heldOrEnded()) {
      const { instrumentId, direction } = side;
      const position = positions.find(
        (each) =>
          each.instrumentId === instrumentId && each.direction === direction && each.isValid,
      );
      if (position === undefined) await this.#readEnded(side, now);
      else await this.#readOpen(side, position, now);
    }
  }

  #holds({ instrumentId, direction }: Side): boolean {
    return this.#options.holds(instrumentId, direction);
  }

  #noteHeld(now: EpochMs): void {
    this.#held = new Set(this.#sides.filter((side) => this.#holds(side)));
    this.#heldAt = now;
    for (const side of this.#sides) if (!this.#held.has(side)) this.#told.delete(side.key);
  }

  async #readOpen(
    side: Side,
    { positionId, fundingFee }: VenuePosition,
    now: EpochMs,
  ): Promise<void> {
    if (fundingFee === undefined) return;
    const told = this.#told.get(side.key);
    const isTold = told?.positionId === undefined || told.positionId === positionId;
    await this.#tell(side, fundingFee - (isTold ? (told?.amount ?? 0n) : 0n), now);
    this.#told.set(side.key, { amount: fundingFee, positionId });
  }

  /** The position has ended since the last look. Its result shows its funding. */
  async #readEnded(side: Side, now: EpochMs): Promise<void> {
    const { source, signal, onMissing } = this.#options;
    const { instrumentId, direction, key } = side;
    const found: ProfitRecord[] = [];
    for await (const record of source.profits(instrumentId, { signal, pageSize: PAGE_SIZE }))
      if ((record.side === 'buy') === (direction === 'long')) found.push(record);
    const record = endedAfter(found, this.#heldAt);
    if (record !== undefined)
      await this.#tell(side, record.fundingFee - (this.#told.get(key)?.amount ?? 0n), now);
    else
      onMissing(
        `${key}: the venue shows no result of the position that was closed after ${formatUtc(this.#heldAt)}: its funding is not in the books`,
      );
    this.#held.delete(side);
    this.#told.delete(key);
  }

  async #tell(side: Side, amount: Fixed, now: EpochMs): Promise<void> {
    if (amount === 0n) return;
    const { feed, paidRate, signal, onUpdate } = this.#options;
    const { instrumentId, direction, asset } = side;
    const { markPrice, fundingRate } = await feed.readMark(instrumentId, { since: now, signal });
    onUpdate({
      kind: 'funding',
      ...{ instrumentId, direction, asset, amount, markPrice },
      rate: paidRate(instrumentId, fundingRate) ?? 0n,
      eventTime: now,
    });
  }
}

/**
 * The first result of one side after the last time it was known to be held. Otherwise the last result shortly before: that end was not reported then.
 */
function endedAfter(found: readonly ProfitRecord[], heldAt: EpochMs): ProfitRecord | undefined {
  const ended = (record: ProfitRecord): EpochMs => record.updatedTime ?? heldAt;
  const late = found
    .filter((record) => ended(record) >= heldAt - UNTOLD_MS)
    .toSorted((a, b) => ended(a) - ended(b) || compareIds(a.id, b.id));
  return late.find((record) => ended(record) >= heldAt) ?? late.at(-1);
}

/** Readings are numbered: two in each hour. */
function readingOf(time: EpochMs): number {
  return 2 * Math.floor(time / HOUR_MS) + (isSoonAfterHour(time) ? 0 : 1);
}

function isSoonAfterHour(time: EpochMs): boolean {
  return time % HOUR_MS < LATE_MS;
}
