import {
  TradingError,
  type EpochMs,
  type Instrument,
  type InstrumentId,
} from '../../domain/index.js';
import { PollQueue, type SharedAccount } from '../../feed/index.js';
import type { FuturesAccountSnapshot } from '../../venue/index.js';
import type { AccountReader } from './account-reader.js';
import type { AccountReading } from './account-reader-options.js';
import type { Activity } from '../bot/activity.js';
import type { FundingCharges } from './funding-charges.js';
import type { SentOrders } from '../session/sent-orders.js';
import { timeOfPhase, type SessionTime } from '../session/session-time.js';

interface AccountWatchOptions {
  readonly reader: Pick<AccountReader, 'poll'>;
  readonly orders: Pick<SentOrders, 'accepted'>;
  /** Reads funding charges of contracts. */
  readonly charges: Pick<FundingCharges, 'look' | 'read' | 'readFirst'>;
  /** Gives turns to readings of futures accounts. Bots on one key share it. */
  readonly pollQueue: PollQueue;
  /** Whether one poll reads all instruments. For parity runs, where time stands still during a poll. */
  readonly isSequential: boolean;
  readonly time: SessionTime;
  readonly activity: Activity;
  readonly signal: AbortSignal;
  readonly instruments: readonly Instrument[];
  /** Whether an instrument is gone from the venue. It is then not read. @defaultValue all are there */
  readonly isGone?: ((instrumentId: InstrumentId) => boolean) | undefined;
  /** Whether the bot holds a position that the venue can change by itself. */
  readonly holds: (instrumentId: InstrumentId) => boolean;
  /** Whether any stop guards a position. A refused key must then show before a stop fires. @defaultValue no stop does */
  readonly guards?: (() => boolean) | undefined;
  /** The futures account, shared by bots on one key. @defaultValue executions of held contracts are read one contract after the other */
  readonly account?: Pick<SharedAccount, 'read'> | undefined;
  /** Called when this watch has read the futures account. @defaultValue nothing is called */
  readonly onAccount?: ((snapshot: FuturesAccountSnapshot) => void) | undefined;
  /** Contracts whose positions in the snapshot differ from the bot's. @defaultValue none */
  readonly changed?: ((snapshot: FuturesAccountSnapshot) => ReadonlySet<InstrumentId>) | undefined;
  /** Grid of polls while something can change (DESIGN R2). */
  readonly updatePollMs: number;
  /**
   * Time between two full readings of an instrument, in ms, for reconciliation. Also applies while nothing should change. It is longer if calls are
   * scarce.
   */
  readonly idleMs: number;
  /** Called after each poll of a group, or when none was due. Everything found by then has been reported. @defaultValue nothing is called */
  readonly onPolled?: (() => void) | undefined;
  /** Takes the error of a failed poll, or undefined when polls work again. */
  readonly onState: (error: TradingError | undefined) => void;
  readonly onFailure: (error: unknown) => void;
}

/**
 * Rest after a futures poll, as a multiple of its duration. Polls take at most half of the calls while orders work, a quarter while contracts are
 * held, an eighth otherwise.
 */
const REST = { working: 1, held: 3, idle: 7 } as const;

/** If calls are scarce, every so many polls one reads a contract in which nothing should change. */
const IDLE_EVERY = 4;

/** While stops guard pairs, the orders of one pair are read at least this often. A refused key then shows within ten seconds. */
const GUARDED_MS = 5_000;

/** Shortest time between two looks at the futures account while a contract is held. */
const LOOK_MS = 2_000;
/**
 * Longest time between two looks while exactly one contract is held, even if polls rest longer. The stop of one contract needs no account, so only
 * this look shows within ten seconds that the venue has frozen the position.
 */
const LONGEST_LOOK_MS = 5_000;

/** Instruments that share one sequence of polls. */
interface Group {
  readonly ids: readonly InstrumentId[];
  /** Whether calls are scarce. Then each poll reads one instrument. */
  readonly isScarce: boolean;
  /** Whether the group has contracts, which pay or receive funding. */
  readonly isCharged: boolean;
  /** How many instruments without expected changes one poll reads, if calls are not scarce. */
  readonly idlePiece: number;
  readonly pollQueue: PollQueue;
  polls: number;
  isPolling: boolean;
  /** Instruments whose latest reading failed. Until they are read, the failure stands, although others can be read. */
  readonly failed: Set<InstrumentId>;
  error: TradingError | undefined;
}

/** Polls the account: on a grid while orders work or contracts are held, otherwise seldom. */
export class AccountWatch {
  readonly #options: AccountWatchOptions;
  readonly #groups: readonly Group[];
  readonly #stopping = new AbortController();
  /** When each instrument was last asked for, and last read in full. A failed reading counts too, so that it keeps no other waiting. */
  readonly #asked = new Map<InstrumentId, EpochMs>();
  readonly #wholly = new Map<InstrumentId, EpochMs>();
  /** Contracts whose position in the account differed from the bot's. */
  readonly #changed = new Set<InstrumentId>();
  /** Contracts whose position in the account has matched the bot's. */
  readonly #agreed = new Set<InstrumentId>();
  #looked: EpochMs = Number.NEGATIVE_INFINITY;
  #isLooking = false;
  #cancel = (): void => undefined;

  constructor(options: AccountWatchOptions) {
    this.#options = options;
    this.#groups = groupsOf(options);
  }

  start(): void {
    const { time, updatePollMs } = this.#options;
    this.#cancel = time.every('account', updatePollMs, () => {
      for (const group of this.#groups) this.#tick(group);
    });
  }

  stop(): void {
    this.#cancel();
    this.#stopping.abort();
  }

  /** Reads every instrument in full once. For a start. */
  async readAll(): Promise<void> {
    const { charges, time } = this.#options;
    await charges.readFirst(time.now());
    const read = await Promise.allSettled(this.#groups.map((group) => this.#readGroup(group)));
    for (const each of read) if (each.status === 'rejected') throw each.reason;
  }

  /** If calls are scarce, contracts that the account has not confirmed come first: their stops are not sampled until they are read. */
  async #readGroup({ ids, isScarce }: Group): Promise<void> {
    const { reader, time } = this.#options;
    const isFirst = (id: InstrumentId): boolean => isScarce && !this.#agreed.has(id);
    const there = ids.filter((id) => !this.#isGone(id));
    const pieces = [there.filter(isFirst), there.filter((id) => !isFirst(id))];
    for (const piece of pieces) {
      const now = time.now();
      await reader.poll(
        piece.map((instrumentId) => ({ instrumentId, orders: true, trades: true })),
        ({ instrumentId }) => {
          this.#noteWhole(instrumentId, now);
        },
      );
    }
  }

  /** Whether the bot's position in an instrument is confirmed: by a full reading, or by the futures account. */
  isCertain(instrumentId: InstrumentId): boolean {
    return this.#wholly.has(instrumentId) || this.#agreed.has(instrumentId);
  }

  #noteWhole(id: InstrumentId, at: EpochMs): void {
    this.#asked.set(id, at);
    this.#wholly.set(id, at);
  }

  /** Reads everything of one instrument once. @throws errors of the source. */
  readOne(instrumentId: InstrumentId): Promise<void> {
    return this.#options.reader.poll([{ instrumentId, orders: true, trades: true }]);
  }

  #isGone(instrumentId: InstrumentId): boolean {
    return this.#options.isGone?.(instrumentId) === true;
  }

  /** Takes a snapshot of the futures account, also one that another part has read. */
  note(snapshot: FuturesAccountSnapshot): void {
    const { time, changed, holds, instruments } = this.#options;
    this.#looked = time.now();
    const found = changed?.(snapshot);
    if (found === undefined) return;
    for (const { id, kind } of instruments) {
      if (found.has(id) && holds(id)) this.#changed.add(id);
      if (!found.has(id) && kind === 'futures') this.#agreed.add(id);
    }
  }

  #tick(group: Group): void {
    this.#lookInTime(group);
    // A slow call never overlaps itself. What waits for its turn may have got orders meanwhile.
    if (group.isPolling) {
      group.pollQueue.hurry();
      return;
    }
    const { time } = this.#options;
    const now = time.now();
    const isCharged = group.isCharged && this.#options.charges.look(now);
    // If all instruments are gone, the error of an earlier poll no longer matters.
    if (group.error !== undefined && group.ids.every((id) => this.#isGone(id)))
      this.#report(group, undefined);
    if (this.#due(group, now).readings.length === 0 && !this.#isLookDue(group, now) && !isCharged) {
      this.#options.onPolled?.();
      return;
    }
    group.isPolling = true;
    void this.#options.activity.during(async () => {
      try {
        await group.pollQueue.take(
          () => this.#poll(group),
          this.#stopping.signal,
          () => this.#due(group, time.now()).rest,
        );
        if (!this.#hasFailed(group)) this.#report(group, undefined);
      } catch (error: unknown) {
        this.#fail(group, error);
      } finally {
        group.isPolling = false;
        this.#options.onPolled?.();
      }
    });
  }

  /** Whether it is time to read the futures account. One answer shows all held contracts that have changed. */
  #isLookDue({ ids, isScarce }: Group, now: EpochMs, everyMs: number = LOOK_MS): boolean {
    const { account, holds } = this.#options;
    return (
      isScarce &&
      account !== undefined &&
      now - this.#looked >= everyMs &&
      ids.some((id) => holds(id) && !this.#isGone(id))
    );
  }

  /** What to read next: instruments that can change, then instruments whose full reading is due. */
  #due(group: Group, now: EpochMs): { readonly readings: readonly AccountReading[]; rest: number } {
    const { orders, holds, idleMs } = this.#options;
    const active: AccountReading[] = [];
    const idle: AccountReading[] = [];
    let rest: number = REST.idle;
    for (const instrumentId of this.#longestUnread(group)) {
      if (this.#isGone(instrumentId)) continue;
      const isWhole =
        group.failed.has(instrumentId) ||
        now - (this.#wholly.get(instrumentId) ?? Number.NEGATIVE_INFINITY) >= idleMs;
      const hasOrders = orders.accepted(instrumentId).length > 0;
      const isHeld = this.#options.account ? this.#changed.has(instrumentId) : holds(instrumentId);
      if (hasOrders) rest = REST.working;
      else if (isHeld) rest = Math.min(rest, REST.held);
      const [readsOrders, readsTrades] = [isWhole || hasOrders, isWhole || isHeld];
      const reading = { instrumentId, orders: readsOrders, trades: readsTrades };
      if (hasOrders || isHeld) active.push(reading);
      else if (isWhole) idle.push(reading);
    }
    const readings = choose(group, active, idle);
    return { readings: readings.length > 0 ? readings : this.#assuring(group, now), rest };
  }

  #hasFailed({ failed }: Group): boolean {
    return [...failed].some((id) => !this.#isGone(id));
  }

  /** If no reading is due: one that shows the end of a failure, else of guarded pairs the orders of one, so that a refused key shows. */
  #assuring(group: Group, now: EpochMs): readonly AccountReading[] {
    const { guards, isSequential } = this.#options;
    const ids = this.#longestUnread(group).filter((id) => !this.#isGone(id));
    const [first] = ids;
    if (first === undefined) return [];
    if (group.error !== undefined) return [{ instrumentId: first, orders: true, trades: true }];
    if (isSequential || group.isScarce || guards?.() !== true) return [];
    const last = Math.max(...ids.map((id) => this.#asked.get(id) ?? Number.NEGATIVE_INFINITY));
    return now - last < GUARDED_MS ? [] : [{ instrumentId: first, orders: true, trades: false }];
  }

  #longestUnread({ ids }: Group): readonly InstrumentId[] {
    if (this.#options.isSequential) return ids;
    const askedAt = (id: InstrumentId): EpochMs => this.#asked.get(id) ?? 0;
    return ids.toSorted((a, b) => askedAt(a) - askedAt(b));
  }

  async #poll(group: Group): Promise<number> {
    const { time, charges } = this.#options;
    const now = time.now();
    const looks = this.#isLookDue(group, now);
    if (looks) await this.#look(now);
    const { readings, rest: own } = this.#due(group, now);
    const rest = looks ? Math.min(own, REST.held) : own;
    group.polls += 1;
    await this.#read(group, readings, now);
    if (group.isCharged && charges.look(now)) await charges.read(now);
    return rest;
  }

  async #read(group: Group, readings: readonly AccountReading[], now: EpochMs): Promise<void> {
    const { failed } = group;
    const others = new Set(failed);
    const again = new Set<InstrumentId>();
    for (const { instrumentId } of readings) {
      this.#asked.set(instrumentId, now);
      if (others.delete(instrumentId)) again.add(instrumentId);
      failed.add(instrumentId);
    }
    await this.#options.reader.poll(readings, ({ instrumentId, orders, trades }) => {
      if (trades) this.#changed.delete(instrumentId);
      if (orders && trades) this.#noteWhole(instrumentId, now);
      failed.delete(instrumentId);
      // The venue may have been away. Instruments that still cannot be read show it when their turn comes.
      if (again.has(instrumentId)) for (const other of others) failed.delete(other);
    });
  }

  /** Looks at the account on time, although the queue of polls may rest for many seconds. */
  #lookInTime(group: Group): void {
    const { time, activity, holds } = this.#options;
    const now = time.now();
    const isOne = group.ids.filter((id) => holds(id)).length === 1;
    if (!isOne || this.#isLooking || !this.#isLookDue(group, now, LONGEST_LOOK_MS)) return;
    this.#isLooking = true;
    void activity.during(async () => {
      try {
        await this.#look(now);
      } catch (error: unknown) {
        this.#fail(group, error);
      } finally {
        this.#isLooking = false;
      }
    });
  }

  async #look(now: EpochMs): Promise<void> {
    const { account, signal } = this.#options;
    const snapshot = await account?.read({ since: now, signal });
    if (snapshot === undefined) return;
    this.note(snapshot);
    this.#options.onAccount?.(snapshot);
  }

  #fail(group: Group, error: unknown): void {
    const { onFailure, signal } = this.#options;
    if (signal.aborted) return;
    if (!(error instanceof TradingError)) onFailure(error);
    else this.#report(group, error);
  }

  #report(group: Group, error: TradingError | undefined): void {
    group.error = error;
    this.#options.onState(this.#groups.find((each) => each.error !== undefined)?.error);
  }
}

/** Spot has a budget for each kind of call, futures one for all kinds. A spot order must not wait for readings of contracts. */
function groupsOf(options: AccountWatchOptions): readonly Group[] {
  const { instruments, isSequential, pollQueue, time, updatePollMs, idleMs } = options;
  const group = (of: readonly Instrument[], how: Pick<Group, 'isScarce' | 'pollQueue'>): Group => ({
    ids: of.map(({ id }) => id),
    isCharged: of.some(({ kind }) => kind === 'futures'),
    // Spread over the time in which each instrument is read once.
    idlePiece: isSequential ? of.length : Math.ceil((of.length * updatePollMs) / idleMs),
    polls: 0,
    isPolling: false,
    failed: new Set(),
    error: undefined,
    ...how,
  });
  if (isSequential) return [group(instruments, { isScarce: false, pollQueue })];
  const contracts = instruments.filter(({ kind }) => kind === 'futures');
  const pairs = instruments.filter(({ kind }) => kind !== 'futures');
  const own = new PollQueue(timeOfPhase(time, 'account'));
  return [
    group(pairs, { isScarce: false, pollQueue: own }),
    group(contracts, { isScarce: true, pollQueue }),
  ];
}

function choose(
  { isScarce, idlePiece, polls }: Group,
  active: readonly AccountReading[],
  idle: readonly AccountReading[],
): readonly AccountReading[] {
  if (!isScarce) return [...active, ...idle.slice(0, idlePiece)];
  const [first, second] = polls % IDLE_EVERY === IDLE_EVERY - 1 ? [idle, active] : [active, idle];
  return [...first, ...second].slice(0, 1);
}
