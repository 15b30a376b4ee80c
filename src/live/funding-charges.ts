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
  /** The account of contracts, shared by bots on the key. @defaultValue the source is asked */
  readonly account?: Pick<SharedAccount, 'read'> | undefined;
  readonly feed: Pick<MarketFeed, 'readMark'>;
  /** At which rate funding was paid just now, where the venue shows `shown`. */
  readonly paidRate: FundingRateWatch['paid'];
  readonly signal: AbortSignal;
  /** Contracts that the bot trades. */
  readonly contracts: readonly FuturesInstrument[];
  /** Whether the venue has a contract no more: what it is charged is read once it is there again. @defaultValue all are there */
  readonly isGone?: ((instrumentId: InstrumentId) => boolean) | undefined;
  /** Whether the bot holds a side of a contract, as it knows. */
  readonly holds: (instrumentId: InstrumentId, direction: Direction) => boolean;
  /** Until when all is known that was charged. */
  readonly since: EpochMs;
  /** What was told before of positions that are open, by `sideKey`. @defaultValue none */
  readonly told?: ReadonlyMap<string, Fixed> | undefined;
  readonly onUpdate: (update: AccountUpdate) => void;
  /** What a position was charged that has ended cannot be found out. */
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

/** How much earlier than it was last known to be held a position may have ended: what ended it may not have been told. */
const UNTOLD_MS = MINUTE_MS;

const PAGE_SIZE = 1_000;

/** A venue may post what it charges some seconds after the hour: so long after it that is read again, and what has ended since counts as held. */
const LATE_MS = MINUTE_MS;

/** What was told of the position of a side. */
interface Told {
  readonly amount: Fixed;
  /** The venue's name of it; undefined until it is seen by this process. */
  readonly positionId: string | undefined;
}

/**
 * Tells what positions have paid or received for being held, at each full hour and a minute later, and at a start what they were charged while nobody looked.
 *
 * The account shows it of positions that are held, the list of results of those that have ended: sold or liquidated between a settlement and
 * the reading after it.
 */
export class FundingCharges {
  readonly #options: FundingChargesOptions;
  readonly #sides: readonly Side[];
  readonly #told: Map<string, Told>;
  /** Sides that were held when that was looked at last. */
  #held = new Set<Side>();
  /** When that was. */
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

  /** Looks at what is held. Returns whether something of it may have been charged since the last reading: that is done on whole hours. */
  look(now: EpochMs): boolean {
    if (this.#isDue(now)) {
      if (this.#heldOrEnded().length > 0) return true;
      this.#readAt = now;
    }
    if (!isSoonAfterHour(now)) this.#noteHeld(now);
    return false;
  }

  /** Tells what was charged since the last reading. @throws errors of the source: what was not read is read the next time. */
  async read(now: EpochMs): Promise<void> {
    await this.#readSides(now);
    this.#readAt = now;
    this.#noteHeld(now);
  }

  /**
   * Tells what was charged while nobody looked, before executions are read that ended a position after it. What the bot holds without knowing
   * yet is read the next time.
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

  /** The position has ended since it was last looked at: its result says what it was charged. */
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
        `${key}: the venue shows no result of the position that has ended since ${formatUtc(this.#heldAt)}: what it was charged for being held is not in the books`,
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

/** The first of the results of one side that came after it was last known to be held; else the last of just before: its end was not told then. */
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
