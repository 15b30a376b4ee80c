import { TradingError, type EpochMs, type Instrument, type InstrumentId } from '../domain/index.js';
import { PollQueue, type SharedAccount } from '../feed/index.js';
import type { FuturesAccountSnapshot } from '../venue/index.js';
import type { AccountReader, AccountReading } from './account-reader.js';
import type { Activity } from './activity.js';
import type { FundingCharges } from './funding-charges.js';
import type { SentOrders } from './sent-orders.js';
import { timeOfPhase, type SessionTime } from './session-time.js';

export interface AccountWatchOptions {
  readonly reader: Pick<AccountReader, 'poll'>;
  readonly orders: Pick<SentOrders, 'accepted'>;
  /** What contracts are charged for being held. */
  readonly charges: Pick<FundingCharges, 'look' | 'read' | 'readFirst'>;
  /** Whose turn it is to read futures accounts: shared with other bots on the key. */
  readonly pollQueue: PollQueue;
  /** Whether everything is read at once, while time stands. */
  readonly isSequential: boolean;
  readonly time: SessionTime;
  readonly activity: Activity;
  readonly signal: AbortSignal;
  readonly instruments: readonly Instrument[];
  /** Whether the venue has an instrument no more: nothing is read of it. @defaultValue all are there */
  readonly isGone?: ((instrumentId: InstrumentId) => boolean) | undefined;
  /** Whether the bot holds a position that the venue can change by itself. */
  readonly holds: (instrumentId: InstrumentId) => boolean;
  /** Whether anything is guarded by stops: that its key is refused has to be known before one fires. @defaultValue nothing is */
  readonly guards?: (() => boolean) | undefined;
  /** The account of contracts, shared by bots on the key. @defaultValue executions of what is held are read one contract after the other */
  readonly account?: Pick<SharedAccount, 'read'> | undefined;
  /** The account of contracts was read here. @defaultValue nobody wants it */
  readonly onAccount?: ((snapshot: FuturesAccountSnapshot) => void) | undefined;
  /** Contracts of which that shows something else than is believed. @defaultValue none */
  readonly changed?: ((snapshot: FuturesAccountSnapshot) => ReadonlySet<InstrumentId>) | undefined;
  /** Grid of polls while something can change (DESIGN R2). */
  readonly updatePollMs: number;
  /** Between whole readings of an instrument, also while nothing should change: reconciliation. More where the budget is scarce. */
  readonly idleMs: number;
  /** Called after each poll of pairs, or when none was needed: what is known by then is told. @defaultValue nobody waits for it */
  readonly onPolled?: (() => void) | undefined;
  /** A poll has failed, or works again (undefined). */
  readonly onState: (error: TradingError | undefined) => void;
  readonly onFailure: (error: unknown) => void;
}

/** Of the calls that futures have for polls, readings take at most a half while orders work, a quarter for what is held, an eighth otherwise. */
const REST = { working: 1, held: 3, idle: 7 } as const;

/** Where calls are scarce, every so many polls are for contracts in which nothing should change. */
const IDLE_EVERY = 4;

/** While pairs are guarded, something is read of them as often: that the key is refused shows within ten seconds. */
const GUARDED_MS = 5_000;

/** Between two looks at the account of contracts where something is held, at least. */
const LOOK_MS = 2_000;
/** And at most, however long polls rest, where one is held, so that its stop needs no account: that the venue has frozen it shows within ten seconds. */
const LONGEST_LOOK_MS = 5_000;

/** Instruments that share what is read of them, one reading after the other. */
interface Group {
  readonly ids: readonly InstrumentId[];
  /** Whether calls are scarce: then one instrument is read at a time. */
  readonly isScarce: boolean;
  /** Whether there are contracts among them, which are charged for being held. */
  readonly isCharged: boolean;
  /** Of those in which nothing should change, how many at a time elsewhere. */
  readonly idlePiece: number;
  readonly pollQueue: PollQueue;
  polls: number;
  isPolling: boolean;
  error: TradingError | undefined;
}

/** Polls the account when something can have changed: on a grid while orders work or contracts are held, else seldom. */
export class AccountWatch {
  readonly #options: AccountWatchOptions;
  readonly #groups: readonly Group[];
  readonly #stopping = new AbortController();
  /** When each instrument was last read, and when wholly. */
  readonly #read = new Map<InstrumentId, EpochMs>();
  readonly #wholly = new Map<InstrumentId, EpochMs>();
  /** Contracts that the account showed otherwise than believed, and when it was looked at last. */
  readonly #changed = new Set<InstrumentId>();
  /** Contracts that it has shown as they were believed to be. */
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

  /** Reads everything once, whatever is expected; for a start. */
  async readAll(): Promise<void> {
    const { charges, time } = this.#options;
    await charges.readFirst(time.now());
    const read = await Promise.allSettled(this.#groups.map((group) => this.#readGroup(group)));
    for (const each of read) if (each.status === 'rejected') throw each.reason;
  }

  /** Where calls are scarce what the account does not show as believed comes first: its stops are not sampled before. */
  async #readGroup({ ids, isScarce }: Group): Promise<void> {
    const { reader, time } = this.#options;
    const isFirst = (id: InstrumentId): boolean => isScarce && !this.#agreed.has(id);
    const there = ids.filter((id) => !this.#isGone(id));
    const pieces = [there.filter(isFirst), there.filter((id) => !isFirst(id))];
    for (const piece of pieces) {
      const now = time.now();
      await reader.poll(
        piece.map((instrumentId) => ({ instrumentId, orders: true, trades: true })),
      );
      for (const id of piece) this.#noteWhole(id, now);
    }
  }

  /** Whether what is believed to be held of an instrument was read, or shown by the account of contracts. */
  isCertain(instrumentId: InstrumentId): boolean {
    return this.#wholly.has(instrumentId) || this.#agreed.has(instrumentId);
  }

  #noteWhole(id: InstrumentId, at: EpochMs): void {
    this.#read.set(id, at);
    this.#wholly.set(id, at);
  }

  /** Reads everything of one instrument once. @throws errors of the source. */
  readOne(instrumentId: InstrumentId): Promise<void> {
    return this.#options.reader.poll([{ instrumentId, orders: true, trades: true }]);
  }

  #isGone(instrumentId: InstrumentId): boolean {
    return this.#options.isGone?.(instrumentId) === true;
  }

  /** The account of contracts was read, by whomever. */
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
    // A slow call never overlaps itself.
    if (group.isPolling) return;
    const now = this.#options.time.now();
    const isCharged = group.isCharged && this.#options.charges.look(now);
    // That it could not be read is no trouble any more.
    if (group.error !== undefined && group.ids.every((id) => this.#isGone(id)))
      this.#report(group, undefined);
    if (this.#due(group, now).readings.length === 0 && !this.#isLookDue(group, now) && !isCharged) {
      this.#options.onPolled?.();
      return;
    }
    group.isPolling = true;
    void this.#options.activity.during(async () => {
      try {
        await group.pollQueue.take(() => this.#poll(group), this.#stopping.signal);
        this.#report(group, undefined);
      } catch (error: unknown) {
        this.#fail(group, error);
      } finally {
        group.isPolling = false;
        this.#options.onPolled?.();
      }
    });
  }

  /** Whether one answer for all contracts that are held is due, which says which of them have changed. */
  #isLookDue({ ids, isScarce }: Group, now: EpochMs, everyMs: number = LOOK_MS): boolean {
    const { account, holds } = this.#options;
    return (
      isScarce &&
      account !== undefined &&
      now - this.#looked >= everyMs &&
      ids.some((id) => holds(id) && !this.#isGone(id))
    );
  }

  /** What is to be read next: what can change, and of the rest what has not been read for long. */
  #due(group: Group, now: EpochMs): { readonly readings: readonly AccountReading[]; rest: number } {
    const { orders, holds, idleMs } = this.#options;
    const active: AccountReading[] = [];
    const idle: AccountReading[] = [];
    let rest: number = REST.idle;
    for (const instrumentId of this.#longestUnread(group)) {
      if (this.#isGone(instrumentId)) continue;
      const isWhole = now - (this.#wholly.get(instrumentId) ?? Number.NEGATIVE_INFINITY) >= idleMs;
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

  /** Where nothing has to be read of pairs that are guarded: the orders of one. */
  #assuring(group: Group, now: EpochMs): readonly AccountReading[] {
    const { guards, isSequential } = this.#options;
    if (isSequential || group.isScarce || guards?.() !== true) return [];
    const ids = this.#longestUnread(group).filter((id) => !this.#isGone(id));
    const [first] = ids;
    const last = Math.max(...ids.map((id) => this.#read.get(id) ?? Number.NEGATIVE_INFINITY));
    if (first === undefined || now - last < GUARDED_MS) return [];
    return [{ instrumentId: first, orders: true, trades: false }];
  }

  #longestUnread({ ids }: Group): readonly InstrumentId[] {
    if (this.#options.isSequential) return ids;
    const readAt = (id: InstrumentId): EpochMs => this.#read.get(id) ?? 0;
    return ids.toSorted((a, b) => readAt(a) - readAt(b));
  }

  async #poll(group: Group): Promise<number> {
    const { time, reader, charges } = this.#options;
    const now = time.now();
    const looks = this.#isLookDue(group, now);
    if (looks) await this.#look(now);
    const { readings, rest: own } = this.#due(group, now);
    const rest = looks ? Math.min(own, REST.held) : own;
    group.polls += 1;
    await reader.poll(readings);
    for (const { instrumentId, orders, trades } of readings) {
      if (trades) this.#changed.delete(instrumentId);
      this.#read.set(instrumentId, now);
      if (orders && trades) this.#noteWhole(instrumentId, now);
    }
    if (group.isCharged && charges.look(now)) await charges.read(now);
    return rest;
  }

  /** A poll of what should not change may have left a rest of many seconds. */
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

/** Spot has a budget for each kind of call, futures one for all: a spot order must not wait for readings of contracts. */
function groupsOf(options: AccountWatchOptions): readonly Group[] {
  const { instruments, isSequential, pollQueue, time, updatePollMs, idleMs } = options;
  const group = (of: readonly Instrument[], how: Pick<Group, 'isScarce' | 'pollQueue'>): Group => ({
    ids: of.map(({ id }) => id),
    isCharged: of.some(({ kind }) => kind === 'futures'),
    // Spread over the time in which each is read once.
    idlePiece: isSequential ? of.length : Math.ceil((of.length * updatePollMs) / idleMs),
    polls: 0,
    isPolling: false,
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
