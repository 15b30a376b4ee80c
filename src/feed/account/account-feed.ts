import { combineLatest, distinctUntilChanged, map, merge, Observable, share, Subject } from 'rxjs';
import type { InstrumentId } from '../../domain/index.js';
import type { AccountSnapshot, AccountSource, VenueOrder, VenueTrade } from '../../venue/index.js';
import type { FeedTime } from '../feed-time.js';
import { delayToGrid, poll } from '../poll.js';
import { StreamMonitor, type StreamState, type StreamStatus } from '../stream-monitor.js';
import { OwnTrades } from './own-trades.js';

/** What was read of the account. */
export type AccountNotice =
  | {
      readonly kind: 'open-orders';
      readonly instrumentId: InstrumentId;
      readonly orders: readonly VenueOrder[];
    }
  /** Never empty; each trade once, in the order of their ids. */
  | {
      readonly kind: 'trades';
      readonly instrumentId: InstrumentId;
      readonly trades: readonly VenueTrade[];
    }
  | { readonly kind: 'account'; readonly snapshot: AccountSnapshot };

export interface AccountPlan {
  /** Grid of polls of an instrument while orders work there (DESIGN R2). @defaultValue 2000 */
  readonly workingMs: number;
  /** Between polls where nothing should have changed: reconciliation. @defaultValue 60000 */
  readonly idleMs: number;
}

export const ACCOUNT_PLAN: AccountPlan = { workingMs: 2_000, idleMs: 60_000 };

export interface AccountFeedOptions {
  readonly source: AccountSource;
  readonly time: FeedTime;
  readonly instruments: readonly InstrumentId[];
  readonly products: readonly ('spot' | 'futures')[];
  /** Newest own trade that is known already, by instrument. */
  readonly lastTrades?: ReadonlyMap<InstrumentId, string>;
  readonly plan?: Partial<AccountPlan>;
}

/**
 * Orders, executions, balances and positions of one account, polled when something can have changed: while orders work on the grid of
 * `workingMs`, and at once when told; else seldom.
 */
export class AccountFeed {
  readonly #options: AccountFeedOptions;
  readonly #plan: AccountPlan;
  readonly #working = new Set<InstrumentId>();
  readonly #trades: ReadonlyMap<InstrumentId, OwnTrades>;
  readonly #orderWakes: ReadonlyMap<InstrumentId, Subject<void>>;
  readonly #accountWake = new Subject<void>();
  /** One for each poll: one that works does not hide another that fails. */
  readonly #monitors: StreamMonitor[] = [];

  /**
   * Hot; replays 0; never completes; errors when calls fail for good (key, permission); scheduler: the time given. The first subscriber
   * starts the polling, the last one ends it.
   */
  readonly notices$: Observable<AccountNotice>;

  constructor(options: AccountFeedOptions) {
    const { source, instruments, lastTrades } = options;
    this.#options = options;
    this.#plan = { ...ACCOUNT_PLAN, ...options.plan };
    this.#trades = new Map(
      instruments.map((id) => [id, new OwnTrades(source, id, lastTrades?.get(id))]),
    );
    this.#orderWakes = new Map(instruments.map((id) => [id, new Subject<void>()]));
    const instruments$ = instruments.map((id) => this.#pollInstrument(id));
    const accounts$ = options.products.map((product) => this.#pollAccount(product));
    this.notices$ = merge(...instruments$, ...accounts$).pipe(share());
  }

  /** How the poll is that is worst. Hot; replays 1; never completes; never errors. */
  get status$(): Observable<StreamStatus> {
    return combineLatest(this.#monitors.map(({ status$ }) => status$)).pipe(
      map((all) => all.reduce((worst, status) => (rank(status) > rank(worst) ? status : worst))),
      distinctUntilChanged((a, b) => a.state === b.state),
    );
  }

  /** Says whether orders work on an instrument: their polls begin at once, or become seldom. */
  setWorking(instrumentId: InstrumentId, isWorking: boolean): void {
    if (isWorking === this.#working.has(instrumentId)) return;
    if (isWorking) this.#working.add(instrumentId);
    else this.#working.delete(instrumentId);
    this.expectChange(instrumentId);
  }

  /** Something may have changed: reads the instrument's orders and trades now. */
  expectChange(instrumentId: InstrumentId): void {
    this.#orderWakes.get(instrumentId)?.next();
  }

  #pollInstrument(instrumentId: InstrumentId): Observable<AccountNotice> {
    const { source } = this.#options;
    const trades = this.#trades.get(instrumentId);
    const read = async (signal: AbortSignal): Promise<readonly AccountNotice[]> => {
      // Orders first: a fill that happens between the two is in the trades, and its order is seen next time.
      const orders = await source.openOrders(instrumentId, { signal });
      const found = (await trades?.read(signal)) ?? [];
      if (found.length > 0) this.#accountWake.next();
      return [
        { kind: 'open-orders', instrumentId, orders },
        ...(found.length > 0 ? [{ kind: 'trades', instrumentId, trades: found } as const] : []),
      ];
    };
    return this.#poll(read, {
      periodMs: () => (this.#working.has(instrumentId) ? this.#plan.workingMs : this.#plan.idleMs),
      wake$: this.#orderWakes.get(instrumentId) ?? new Subject<void>(),
    });
  }

  #pollAccount(product: 'spot' | 'futures'): Observable<AccountNotice> {
    const { source } = this.#options;
    const read = async (signal: AbortSignal): Promise<readonly AccountNotice[]> => [
      { kind: 'account', snapshot: await source.account(product, { signal }) },
    ];
    return this.#poll(read, { periodMs: () => this.#plan.idleMs, wake$: this.#accountWake });
  }

  #poll(
    call: (signal: AbortSignal) => Promise<readonly AccountNotice[]>,
    { periodMs, wake$ }: { readonly periodMs: () => number; readonly wake$: Observable<void> },
  ): Observable<AccountNotice> {
    const { time } = this.#options;
    const monitor = new StreamMonitor(time);
    this.#monitors.push(monitor);
    const delayAfter = (): number => delayToGrid(time.now(), periodMs(), 0);
    return new Observable((subscriber) => {
      const polling = poll({ time, call, delayAfter, wake$ }).subscribe({
        next: (outcome) => {
          if (outcome.kind === 'failure') {
            monitor.failed(outcome.error, outcome.failures);
            return;
          }
          monitor.fresh(time.now() + 3 * periodMs());
          for (const notice of outcome.value) subscriber.next(notice);
        },
        error: (error: unknown) => {
          subscriber.error(error);
        },
      });
      return () => {
        polling.unsubscribe();
        monitor.stop();
      };
    });
  }
}

const SEVERITY: readonly StreamState[] = ['live', 'gap', 'stale', 'down'];

function rank({ state }: StreamStatus): number {
  return SEVERITY.indexOf(state);
}
