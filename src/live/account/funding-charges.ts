import {
  compareIds,
  directionOf,
  formatUtc,
  HOUR_MS,
  MINUTE_MS,
  type Asset,
  type Direction,
  type EpochMs,
  type FillRecord,
  type Fixed,
  type FuturesInstrument,
  type InstrumentId,
} from '../../domain/index.js';
import type { MarketFeed, SharedAccount } from '../../feed/index.js';
import type {
  AccountSource,
  AccountUpdate,
  ProfitRecord,
  VenuePosition,
} from '../../venue/index.js';
import { sideKey, type OrderHistory } from '../../engine/index.js';
import type { FundingRateWatch } from '../market/funding-rate-watch.js';
import { OneAtATime } from '../one-at-a-time.js';

interface FundingChargesOptions {
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
  /** When the position on a side of a contract was opened, by the bot's books; undefined if they have none. */
  readonly openedTime: (instrumentId: InstrumentId, direction: Direction) => EpochMs | undefined;
  /** Time of the last event before this session. */
  readonly since: EpochMs;
  /** Funding that was already reported, from the journal. @defaultValue none */
  readonly history?: Pick<OrderHistory, 'funding' | 'ended'> | undefined;
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

/** The last reading before a start may have waited this long for its turn, and then it was not done. Funding is reported once even if it is read again. */
const UNREAD_MS = 2 * MINUTE_MS;

/** A position of the venue that was created this much after the bot's is another one. */
const CREATED_MS = 1_000;

/** A position of the bot, from flat to flat. */
interface Position {
  readonly side: Side;
  /** -Infinity if it is not known. */
  readonly openedTime: EpochMs;
  /** Time of the fill that closed it; undefined while the books have it. */
  endedTime: EpochMs | undefined;
  /** Funding reported so far. */
  told: Fixed;
  /** The venue's id; undefined until this process has seen it. */
  positionId: string | undefined;
  /** Whether it was reported that the venue has no result of it. */
  isMissing: boolean;
}

/**
 * Reports funding that positions have paid or received: at each full hour, a minute later, and at a start for the time without a bot.
 *
 * The account shows the funding of held positions. The list of results shows that of ended positions: closed or liquidated between a settlement and
 * the reading after it. Another position may be open by then. So each charge has the time of its settlement, when its own position was held.
 */
export class FundingCharges {
  readonly #options: FundingChargesOptions;
  readonly #sides: readonly Side[];
  /** A poll may read while a comparison at the start does: both would report the same charge. */
  readonly #readings = new OneAtATime();
  /** Positions in the books, by `sideKey`. */
  readonly #open = new Map<string, Position>();
  /** Positions that have ended since the last full hour whose funding is known. */
  #ended: readonly Position[];
  /** Until when positions are known to have been held at the venue. */
  #seenAt: EpochMs;
  #readAt: EpochMs;

  constructor(options: FundingChargesOptions) {
    this.#options = options;
    const { contracts, since, history } = options;
    this.#sides = contracts.flatMap(({ id: instrumentId, marginAsset: asset }) =>
      DIRECTIONS.map((direction) => ({
        ...{ instrumentId, asset, direction },
        key: sideKey(instrumentId, direction),
      })),
    );
    for (const side of this.#sides) this.#noteOpen(side, history?.funding.get(side.key));
    this.#ended = (history?.ended ?? []).flatMap(({ key, openedTime, endedTime, funding }) =>
      this.#sides
        .filter((side) => side.key === key)
        .map((side) => ({ ...positionOf(side, openedTime, funding), endedTime })),
    );
    this.#seenAt = since;
    this.#readAt = since - UNREAD_MS;
  }

  /** To be called after the books have taken a fill. */
  booked(fill: FillRecord): void {
    const key = sideKey(fill.instrumentId, directionOf(fill));
    const side = this.#sides.find((each) => each.key === key);
    if (side === undefined) return;
    const position = this.#open.get(key);
    if (position?.openedTime === this.#openedTime(side)) return;
    if (position !== undefined)
      this.#ended = [...this.#ended, Object.assign(position, { endedTime: fill.eventTime })];
    this.#noteOpen(side);
  }

  #noteOpen(side: Side, told?: Fixed): void {
    const openedTime = this.#openedTime(side);
    if (openedTime === undefined) this.#open.delete(side.key);
    else this.#open.set(side.key, positionOf(side, openedTime, told));
  }

  #openedTime({ instrumentId, direction }: Side): EpochMs | undefined {
    return this.#options.openedTime(instrumentId, direction);
  }

  /** Returns whether positions may have been charged since the last reading. Charges come at full hours. */
  look(now: EpochMs): boolean {
    if (readingOf(now) === readingOf(this.#readAt)) return false;
    if (this.#charged([...this.#open.values(), ...this.#ended], now).length > 0) return true;
    this.#noteRead(now);
    return false;
  }

  /** Reports charges since the last reading. @throws errors of the source; the next reading then covers this time too. */
  read(now: EpochMs): Promise<void> {
    return this.#readings.run(async () => {
      await this.#readPositions([...this.#ended, ...this.#open.values()], now);
      this.#seenAt = now;
      this.#noteRead(now);
    });
  }

  /**
   * Reports charges from the time without a bot, before executions are read that ended a position later. Positions that the bot does not know yet are
   * read the next time.
   *
   * @throws errors of the source.
   */
  readFirst(now: EpochMs): Promise<void> {
    return this.#readings.run(async () => {
      if (readingOf(now) !== readingOf(this.#options.since))
        await this.#readPositions([...this.#open.values()], now);
    });
  }

  #noteRead(now: EpochMs): void {
    this.#readAt = now;
    this.#ended = this.#ended.filter((each) => this.#isCharged(each, now));
  }

  /** Whether a position was held at a full hour whose charges are not all known. */
  #isCharged({ openedTime, endedTime }: Position, now: EpochMs): boolean {
    const known = hourOf(this.#readAt - LATE_MS);
    const hour = hourOf(endedTime ?? now);
    return openedTime <= hour && known < hour;
  }

  #charged(positions: readonly Position[], now: EpochMs): readonly Position[] {
    return positions.filter((each) => this.#isCharged(each, now) && !this.#isGone(each));
  }

  #isGone({ side }: Position): boolean {
    return this.#options.isGone?.(side.instrumentId) === true;
  }

  async #readPositions(held: readonly Position[], now: EpochMs): Promise<void> {
    const positions = this.#charged(held, now);
    if (positions.length === 0) return;
    const { source, account, signal } = this.#options;
    const snapshot = await (account?.read({ since: now, signal }) ??
      source.account('futures', { signal }));
    if (snapshot.kind !== 'futures') return;
    const shown = snapshot.accounts.flatMap((each) => each.positions);
    for (const position of positions) {
      const { instrumentId, direction } = position.side;
      const open = shown.find(
        (each) =>
          each.instrumentId === instrumentId && each.direction === direction && each.isValid,
      );
      await this.#readOne(position, open, now);
    }
  }

  /** Reads the funding of one position. `open`: what the venue shows on its side. */
  async #readOne(position: Position, open: VenuePosition | undefined, now: EpochMs): Promise<void> {
    if (open !== undefined && this.#maySame(position, open)) {
      await this.#readOpen(position, open, now);
      return;
    }
    const result = await this.#resultOf(position);
    if (result !== undefined) {
      const endedTime = position.endedTime ?? result.updatedTime ?? now;
      await this.#tell(position, result.fundingFee, { now, endedTime });
    } else if (open !== undefined && position.endedTime === undefined)
      await this.#readOpen(position, open, now);
    else this.#miss(position);
  }

  /** Whether what the venue shows may be a position, and no later one on its side. */
  #maySame({ openedTime, endedTime, positionId }: Position, open: VenuePosition): boolean {
    if (endedTime !== undefined) return false;
    if (positionId !== undefined) return open.positionId === positionId;
    const opened = openedTime === Number.NEGATIVE_INFINITY ? this.#options.since : openedTime;
    return open.createdTime === undefined || open.createdTime <= opened + CREATED_MS;
  }

  async #readOpen(position: Position, open: VenuePosition, now: EpochMs): Promise<void> {
    if (open.fundingFee === undefined) return;
    await this.#tell(position, open.fundingFee, { now, endedTime: now });
    position.positionId = open.positionId;
  }

  /** The venue's result of an ended position; undefined if it shows none. */
  async #resultOf({ side, openedTime, endedTime }: Position): Promise<ProfitRecord | undefined> {
    const { source, signal } = this.#options;
    const { instrumentId, direction } = side;
    const found: ProfitRecord[] = [];
    for await (const record of source.profits(instrumentId, { signal, pageSize: PAGE_SIZE })) {
      const isSide = (record.side === 'buy') === (direction === 'long');
      const isEarlier = record.updatedTime !== undefined && record.updatedTime < openedTime;
      const isLater =
        endedTime !== undefined &&
        record.createdTime !== undefined &&
        record.createdTime > endedTime;
      if (isSide && !isEarlier && !isLater) found.push(record);
    }
    return endedAfter(found, endedTime ?? Math.max(openedTime, this.#seenAt));
  }

  #miss(position: Position): void {
    if (position.isMissing) return;
    position.isMissing = true;
    this.#options.onMissing(
      `${position.side.key}: the venue shows no result of the position that was closed after ${formatUtc(position.endedTime ?? this.#seenAt)}: its funding is not in the books`,
    );
  }

  /** Reports what a position has paid or received in addition, at the last full hour at which it was held. */
  async #tell(
    position: Position,
    funding: Fixed,
    { now, endedTime }: { readonly now: EpochMs; readonly endedTime: EpochMs },
  ): Promise<void> {
    const { side, openedTime, told } = position;
    const amount = funding - told;
    if (amount === 0n) return;
    const { feed, paidRate, signal, onUpdate } = this.#options;
    const { instrumentId, direction, asset } = side;
    const { markPrice, fundingRate } = await feed.readMark(instrumentId, { since: now, signal });
    position.told = funding;
    onUpdate({
      kind: 'funding',
      ...{ instrumentId, direction, asset, amount, markPrice },
      rate: paidRate(instrumentId, fundingRate) ?? 0n,
      eventTime: Math.max(openedTime, hourOf(Math.min(now, endedTime))),
    });
  }
}

function positionOf(side: Side, openedTime: EpochMs, told: Fixed = 0n): Position {
  const unread = { endedTime: undefined, positionId: undefined, isMissing: false };
  return { side, openedTime, told, ...unread };
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
  return (2 * hourOf(time)) / HOUR_MS + (time % HOUR_MS < LATE_MS ? 0 : 1);
}

/** The full hour at or before a time. */
function hourOf(time: EpochMs): EpochMs {
  return Math.floor(time / HOUR_MS) * HOUR_MS;
}
