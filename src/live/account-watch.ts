import {
  HOUR_MS,
  TradingError,
  type Direction,
  type EpochMs,
  type Fixed,
  type FuturesInstrument,
  type Instrument,
  type InstrumentId,
} from '../domain/index.js';
import { PollQueue, type MarketFeed, type SharedAccount } from '../feed/index.js';
import type {
  AccountSource,
  AccountUpdate,
  FuturesAccountSnapshot,
  VenuePosition,
} from '../venue/index.js';
import { sideKey } from '../engine/index.js';
import type { AccountReader, AccountReading } from './account-reader.js';
import type { Activity } from './activity.js';
import type { FundingRateWatch } from './funding-rate-watch.js';
import type { SentOrders } from './sent-orders.js';
import { timeOfPhase, type SessionTime } from './session-time.js';

export interface AccountWatchOptions {
  readonly reader: Pick<AccountReader, 'poll'>;
  readonly orders: Pick<SentOrders, 'accepted'>;
  readonly source: Pick<AccountSource, 'account'>;
  readonly feed: Pick<MarketFeed, 'readMark'>;
  /** At which rate funding was paid just now, where the venue shows `shown`. */
  readonly paidRate: FundingRateWatch['paid'];
  /** Whose turn it is to read futures accounts: shared with other bots on the key. */
  readonly pollQueue: PollQueue;
  /** Whether everything is read at once, while time stands. */
  readonly isSequential: boolean;
  readonly time: SessionTime;
  readonly activity: Activity;
  readonly signal: AbortSignal;
  readonly instruments: readonly Instrument[];
  /** Whether the bot holds a position that the venue can change by itself. */
  readonly holds: (instrumentId: InstrumentId) => boolean;
  /** The account of contracts, shared by bots on the key. @defaultValue executions of what is held are read one contract after the other */
  readonly account?: Pick<SharedAccount, 'read'> | undefined;
  /** Contracts of which that shows something else than is believed. @defaultValue none */
  readonly changed?: ((snapshot: FuturesAccountSnapshot) => ReadonlySet<InstrumentId>) | undefined;
  /** Funding that was told before of positions that are open, by `sideKey`. @defaultValue none */
  readonly toldFunding?: ReadonlyMap<string, Fixed> | undefined;
  /** Grid of polls while something can change (DESIGN R2). */
  readonly updatePollMs: number;
  /** Between whole readings of an instrument, also while nothing should change: reconciliation. More where the budget is scarce. */
  readonly idleMs: number;
  readonly onUpdate: (update: AccountUpdate) => void;
  /** Called after each poll of pairs, or when none was needed: what is known by then is told. @defaultValue nobody waits for it */
  readonly onPolled?: (() => void) | undefined;
  /** A poll has failed, or works again (undefined). */
  readonly onState: (error: TradingError | undefined) => void;
  readonly onFailure: (error: unknown) => void;
}

const DIRECTIONS: readonly Direction[] = ['long', 'short'];

/** Of the calls that futures have for polls, readings take at most a half while orders work, a quarter for what is held, an eighth otherwise. */
const REST = { working: 1, held: 3, idle: 7 } as const;

/** Where calls are scarce, every so many polls are for contracts in which nothing should change. */
const IDLE_EVERY = 4;

/** Between two looks at the account of contracts where something is held, at least. */
const LOOK_MS = 2_000;

/** Instruments that share what is read of them, one reading after the other. */
interface Group {
  readonly ids: readonly InstrumentId[];
  /** Whether calls are scarce: then one instrument is read at a time. */
  readonly isScarce: boolean;
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
  /** Funding a position had paid or received when it was last read, by the venue's name of the position. */
  readonly #funding = new Map<string, Fixed>();
  /** By side, until the position's name is known. */
  readonly #toldFunding: Map<string, Fixed>;
  #settled: EpochMs;
  /** Contracts that the account showed otherwise than believed, and when it was looked at last. */
  readonly #changed = new Set<InstrumentId>();
  #looked: EpochMs = Number.NEGATIVE_INFINITY;
  #cancel = (): void => undefined;

  constructor(options: AccountWatchOptions) {
    this.#options = options;
    this.#groups = groupsOf(options);
    this.#settled = options.time.now();
    this.#toldFunding = new Map(options.toldFunding);
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

  /** Reads everything once, whatever is expected. */
  async readAll(): Promise<void> {
    const { instruments, reader } = this.#options;
    await reader.poll(
      instruments.map(({ id }) => ({ instrumentId: id, orders: true, trades: true })),
    );
  }

  /** The account of contracts was read, by whomever. */
  note(snapshot: FuturesAccountSnapshot): void {
    const { time, changed, holds } = this.#options;
    this.#looked = time.now();
    for (const id of changed?.(snapshot) ?? []) if (holds(id)) this.#changed.add(id);
  }

  #tick(group: Group): void {
    // A slow call never overlaps itself.
    if (group.isPolling) return;
    const now = this.#options.time.now();
    if (this.#due(group, now).readings.length === 0 && !this.#isLookDue(group, now)) {
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
  #isLookDue({ ids, isScarce }: Group, now: EpochMs): boolean {
    const { account, holds } = this.#options;
    return (
      isScarce &&
      account !== undefined &&
      now - this.#looked >= LOOK_MS &&
      ids.some((id) => holds(id))
    );
  }

  /** What is to be read next: what can change, and of the rest what has not been read for long. */
  #due(group: Group, now: EpochMs): { readonly readings: readonly AccountReading[]; rest: number } {
    const { orders, holds, idleMs } = this.#options;
    const active: AccountReading[] = [];
    const idle: AccountReading[] = [];
    let rest: number = REST.idle;
    for (const instrumentId of this.#longestUnread(group)) {
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
    return { readings: choose(group, active, idle), rest };
  }

  #longestUnread({ ids }: Group): readonly InstrumentId[] {
    if (this.#options.isSequential) return ids;
    const readAt = (id: InstrumentId): EpochMs => this.#read.get(id) ?? 0;
    return ids.toSorted((a, b) => readAt(a) - readAt(b));
  }

  async #poll(group: Group): Promise<number> {
    const { time, reader, holds } = this.#options;
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
      if (orders && trades) this.#wholly.set(instrumentId, now);
    }
    const contracts = this.#contracts().filter(({ id }) => group.ids.includes(id));
    // Funding is settled on whole hours.
    if (contracts.length === 0 || hourOf(now) === hourOf(this.#settled)) return rest;
    const held = contracts.filter(({ id }) => holds(id));
    if (held.length > 0) await this.#readFunding(held, now);
    this.#settled = now;
    return rest;
  }

  async #look(now: EpochMs): Promise<void> {
    const { account, signal } = this.#options;
    const snapshot = await account?.read({ since: now, signal });
    if (snapshot !== undefined) this.note(snapshot);
  }

  #contracts(): readonly FuturesInstrument[] {
    return this.#options.instruments.filter(
      (instrument): instrument is FuturesInstrument => instrument.kind === 'futures',
    );
  }

  /** Tells what positions have paid or received for being held since they were last read. */
  async #readFunding(contracts: readonly FuturesInstrument[], now: EpochMs): Promise<void> {
    const { source, feed, paidRate, signal, onUpdate } = this.#options;
    const { account } = this.#options;
    const snapshot = await (account?.read({ since: now, signal }) ??
      source.account('futures', { signal }));
    if (snapshot.kind !== 'futures') return;
    const positions = snapshot.accounts.flatMap((account) => account.positions);
    for (const { id, marginAsset } of contracts) {
      for (const direction of DIRECTIONS) {
        const position = positions.find(
          (each) => each.instrumentId === id && each.direction === direction && each.isValid,
        );
        if (position?.fundingFee === undefined) continue;
        const amount = position.fundingFee - this.#fundingOf(position);
        this.#funding.set(position.positionId, position.fundingFee);
        if (amount === 0n) continue;
        const { markPrice, fundingRate } = await feed.readMark(id, { since: now, signal });
        onUpdate({
          kind: 'funding',
          instrumentId: id,
          direction,
          asset: marginAsset,
          amount,
          rate: paidRate(id, fundingRate) ?? 0n,
          markPrice,
          eventTime: now,
        });
      }
    }
  }

  /** What was told of a position's funding; what a process before has told is the first position's that is seen there. */
  #fundingOf({ positionId, instrumentId, direction }: VenuePosition): Fixed {
    const key = sideKey(instrumentId, direction);
    const before = this.#toldFunding.get(key);
    this.#toldFunding.delete(key);
    return this.#funding.get(positionId) ?? before ?? 0n;
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

function hourOf(time: EpochMs): number {
  return Math.floor(time / HOUR_MS);
}
