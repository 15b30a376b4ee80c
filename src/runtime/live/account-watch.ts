import {
  AuthError,
  HOUR_MS,
  TradingError,
  type Direction,
  type EpochMs,
  type Fixed,
  type FuturesInstrument,
  type Instrument,
  type InstrumentId,
} from '../../domain/index.js';
import type {
  AccountSource,
  AccountUpdate,
  MarketDataSource,
  VenuePosition,
} from '../../venue/index.js';
import { sideKey } from '../journal/order-history.js';
import type { AccountReader } from './account-reader.js';
import type { Activity } from './activity.js';
import type { OwnOrders } from './own-orders.js';
import type { SessionTime } from './session-time.js';

export interface AccountWatchOptions {
  readonly reader: AccountReader;
  readonly orders: OwnOrders;
  readonly source: Pick<AccountSource, 'account'>;
  readonly market: Pick<MarketDataSource, 'markPrice'>;
  readonly time: SessionTime;
  readonly activity: Activity;
  readonly signal: AbortSignal;
  readonly instruments: readonly Instrument[];
  /** Whether the bot holds a position that the venue can change by itself. */
  readonly holds: (instrumentId: InstrumentId) => boolean;
  /** Funding that was told before of positions that are open, by `sideKey`. @defaultValue none */
  readonly toldFunding?: ReadonlyMap<string, Fixed> | undefined;
  /** Grid of polls while something can change (DESIGN R2). */
  readonly updatePollMs: number;
  /** Between polls while nothing should change: reconciliation. */
  readonly idleMs: number;
  readonly onUpdate: (update: AccountUpdate) => void;
  /** A poll has failed, or works again (undefined). */
  readonly onState: (error: TradingError | undefined) => void;
  readonly onFailure: (error: unknown) => void;
}

const DIRECTIONS: readonly Direction[] = ['long', 'short'];

/** Polls the account when something can have changed: on a grid while orders work or contracts are held, else seldom. */
export class AccountWatch {
  readonly #options: AccountWatchOptions;
  /** Funding a position had paid or received when it was last read, by the venue's name of the position. */
  readonly #funding = new Map<string, Fixed>();
  /** By side, until the position's name is known. */
  readonly #toldFunding: Map<string, Fixed>;
  #isPolling = false;
  #polled: EpochMs = Number.NEGATIVE_INFINITY;
  #settled: EpochMs;
  #cancel = (): void => undefined;

  constructor(options: AccountWatchOptions) {
    this.#options = options;
    this.#settled = options.time.now();
    this.#toldFunding = new Map(options.toldFunding);
  }

  start(): void {
    const { time, updatePollMs } = this.#options;
    this.#cancel = time.every('account', updatePollMs, () => {
      this.#tick();
    });
  }

  stop(): void {
    this.#cancel();
  }

  /** Reads everything once, whatever is expected. */
  async readAll(): Promise<void> {
    const { instruments, reader } = this.#options;
    await reader.poll(
      instruments.map(({ id }) => id),
      () => true,
    );
  }

  #tick(): void {
    const { activity, time } = this.#options;
    const now = time.now();
    const isReconciling = now - this.#polled >= this.#options.idleMs;
    const ids = this.#options.instruments.map(({ id }) => id);
    const due = isReconciling ? ids : ids.filter((id) => this.#mayChange(id));
    // A slow call never overlaps itself.
    if (due.length === 0 || this.#isPolling) return;
    this.#isPolling = true;
    void activity.during(async () => {
      try {
        await this.#poll(due, now);
        if (isReconciling) this.#polled = now;
        this.#options.onState(undefined);
      } catch (error: unknown) {
        this.#fail(error);
      } finally {
        this.#isPolling = false;
      }
    });
  }

  #mayChange(instrumentId: InstrumentId): boolean {
    const { orders, holds } = this.#options;
    return orders.accepted(instrumentId).length > 0 || holds(instrumentId);
  }

  async #poll(due: readonly InstrumentId[], now: EpochMs): Promise<void> {
    const { reader, holds } = this.#options;
    await reader.poll(due, (id) => holds(id) || now - this.#polled >= this.#options.idleMs);
    // Funding is settled on whole hours.
    if (Math.floor(now / HOUR_MS) === Math.floor(this.#settled / HOUR_MS)) return;
    const contracts = this.#contracts().filter(({ id }) => holds(id));
    if (contracts.length > 0) await this.#readFunding(contracts, now);
    this.#settled = now;
  }

  #contracts(): readonly FuturesInstrument[] {
    return this.#options.instruments.filter(
      (instrument): instrument is FuturesInstrument => instrument.kind === 'futures',
    );
  }

  /** Tells what positions have paid or received for being held since they were last read. */
  async #readFunding(contracts: readonly FuturesInstrument[], now: EpochMs): Promise<void> {
    const { source, market, signal, onUpdate } = this.#options;
    const snapshot = await source.account('futures', { signal });
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
        const { markPrice, fundingRate } = await market.markPrice(id, { signal });
        onUpdate({
          kind: 'funding',
          instrumentId: id,
          direction,
          asset: marginAsset,
          amount,
          rate: fundingRate ?? 0n,
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

  #fail(error: unknown): void {
    const { onState, onFailure, signal } = this.#options;
    if (signal.aborted) return;
    if (!(error instanceof TradingError) || error instanceof AuthError) onFailure(error);
    else onState(error);
  }
}
