import {
  CANCELED_ON_REQUEST,
  OutcomeUnknownError,
  TradingError,
  type ClientOrderId,
  type EpochMs,
  type InstrumentId,
  type OrderReason,
  type OrderRequest,
  type RiskApproved,
  type VenueOrderId,
} from '../../domain/index.js';
import type { Engine, OrderCondition, VenueStop } from '../../engine/index.js';
import type {
  AccountSource,
  CancelOutcome,
  ExecutionAdapter,
  OrderUpdate,
  VenueTrigger,
} from '../../venue/index.js';
import type { Activity } from '../bot/activity.js';
import type { SessionTime } from '../session/session-time.js';

interface VenueTriggersOptions {
  readonly venue: {
    readonly execution: Pick<ExecutionAdapter, 'submitConditional' | 'cancelConditional'>;
    readonly account: Pick<AccountSource, 'triggers'>;
  };
  /**
   * The engine's triggers that may fire. With `family` the venue lists triggers, so a trigger without a known outcome is searched for. Without a list
   * it counts as there.
   */
  readonly stops: NonNullable<Engine['venueStops']>;
  /** Whether time stands still during calls. Then nothing is compared. */
  readonly isSequential: boolean;
  readonly time: SessionTime;
  readonly activity: Activity;
  /** Ends calls on their way. */
  readonly signal: AbortSignal;
  /** Aborted when the bot stops. Calls that still wait for their turn are then not sent. @defaultValue never */
  readonly leaving?: AbortSignal | undefined;
  /** Whether an instrument is gone from the venue. Its triggers are then not listed. @defaultValue all are there */
  readonly isGone?: ((instrumentId: InstrumentId) => boolean) | undefined;
  readonly onUpdate: (update: OrderUpdate) => void;
  readonly onCondition: (name: string, text: string | undefined) => void;
  readonly onNotice: (text: string) => void;
  /** Takes an unexpected error. */
  readonly onFailure: (error: unknown) => void;
}

/** Codes of the venue for a trigger that no longer waits: it has fired, or was removed. */
const GONE: ReadonlySet<string> = new Set(['-1141', '-1145', '-1196', '-2013']);
/** Time between two readings of the list. */
const COMPARE_MS = 60_000;
const LOOK_MS = 2_000;
/** After this time and two looks, a trigger that no list shows was never placed. */
const ABSENT_MS = 20_000;

/**
 * Manages a live bot's triggers at the venue: places and removes them, searches for those without an answer, and compares them with the venue's list
 * if there is one. A submit is never sent twice; a cancel may be.
 */
export class VenueTriggers {
  readonly #options: VenueTriggersOptions;
  /** Triggers that are being searched for. */
  readonly #sought = new Set<ClientOrderId>();
  /** Triggers of others in the last list of an instrument, which were noticed. */
  readonly #strangers = new Map<InstrumentId, readonly string[]>();
  /** Instruments whose triggers could not be listed. */
  readonly #unlisted = new Set<InstrumentId>();
  #cancel = (): void => undefined;

  constructor(options: VenueTriggersOptions) {
    this.#options = options;
  }

  get #believed(): readonly VenueStop[] {
    return this.#options.stops.book.list;
  }

  /** Whether triggers can be listed. Nothing is compared while time stands still. */
  get #isListed(): boolean {
    const { stops, isSequential } = this.#options;
    return stops.terms.kind === 'family' && !isSequential;
  }

  /** Triggers of an instrument that may have made an unknown execution. */
  mayHaveFired(instrumentId: InstrumentId): readonly VenueStop[] {
    return this.#believed.filter(({ request }) => request.instrumentId === instrumentId);
  }

  // Commands.

  async submit(order: RiskApproved<OrderRequest>, condition: OrderCondition): Promise<void> {
    const { venue, signal, leaving } = this.#options;
    const { clientOrderId } = order;
    try {
      const options = { signal, waitSignals: leaving && [leaving] };
      const outcome = await venue.execution.submitConditional({ ...condition, order }, options);
      if (outcome.kind === 'accepted') {
        this.#requireNewId(order, outcome.triggerId);
        this.#accepted(clientOrderId, outcome.triggerId);
      } else this.#ended(clientOrderId, 'rejected', outcome.reason);
    } catch (error: unknown) {
      if (!(error instanceof TradingError)) throw error;
      const reason = { code: error.code, text: error.message };
      if (error instanceof OutcomeUnknownError) this.#unknown(clientOrderId, reason);
      else this.#ended(clientOrderId, 'rejected', reason);
    }
  }

  /** Checks that an answer gives a trigger no id of another one: a later cancel would take the other away. @throws {OutcomeUnknownError} `E_OUTCOME_UNKNOWN` */
  #requireNewId({ instrumentId, clientOrderId }: OrderRequest, id: string): void {
    if (!this.mayHaveFired(instrumentId).some(({ triggerId }) => triggerId === id)) return;
    const text = `expected an id of its own for trigger ${clientOrderId}, received ${id} of another trigger of ${instrumentId}`;
    throw new OutcomeUnknownError('E_OUTCOME_UNKNOWN', text);
  }

  async cancel(clientOrderId: ClientOrderId, instrumentId: InstrumentId): Promise<void> {
    const stop = this.#find(clientOrderId);
    // It has fired meanwhile, which was already reported.
    if (stop === undefined) return;
    const outcome = await this.#askForEnd(instrumentId, stop.triggerId);
    if (outcome === undefined) {
      const text = 'nobody knows whether the trigger was taken away';
      this.#unknown(clientOrderId, { code: 'not-delivered', text });
    } else if (outcome.kind === 'requested')
      this.#ended(clientOrderId, 'canceled', CANCELED_ON_REQUEST);
    else if (GONE.has(outcome.reason.code)) this.#gone(clientOrderId, outcome.reason);
    else this.#unknown(clientOrderId, outcome.reason);
  }

  /** Undefined if it is unknown whether it worked. */
  async #askForEnd(
    instrumentId: InstrumentId,
    triggerId: string | undefined,
  ): Promise<CancelOutcome | undefined> {
    const { venue, signal, leaving } = this.#options;
    if (triggerId === undefined) return undefined;
    try {
      const options = { signal, waitSignals: leaving && [leaving] };
      return await venue.execution.cancelConditional?.({ instrumentId, triggerId }, options);
    } catch (error: unknown) {
      if (!(error instanceof TradingError)) throw error;
      return undefined;
    }
  }

  // Unknown outcomes.

  /** Marks triggers without an answer to an earlier process as unknown. They count as there, and are searched for if the venue lists triggers. */
  restore(): void {
    const reason = { code: 'restarted', text: 'the process ended before the venue had answered' };
    for (const { request, state } of this.#believed) {
      if (state === 'submitting' || state === 'canceling')
        this.#unknown(request.clientOrderId, reason);
      else if (state === 'unknown') this.#beginSearch(request.clientOrderId);
    }
  }

  /** Compares with the venue's list from now on. */
  run(): void {
    const { time, onFailure } = this.#options;
    if (!this.#isListed) return;
    this.#cancel = time.every('account', COMPARE_MS, () => {
      this.compare().catch(onFailure);
    });
  }

  stop(): void {
    this.#cancel();
  }

  /** Finds triggers that no longer wait, and triggers of others. If the list cannot be read, the bot is degraded until it can. */
  async compare(): Promise<void> {
    const { activity, isGone } = this.#options;
    if (!this.#isListed) return;
    const asked = new Set(this.#believed.map(({ request }) => request.instrumentId));
    // An instrument without triggers does not need a list any more.
    for (const instrumentId of this.#unlisted)
      if (!asked.has(instrumentId)) this.#noteListed(instrumentId, undefined);
    for (const instrumentId of asked)
      await activity.during(async () => {
        if (isGone?.(instrumentId) === true) {
          this.#noteListed(instrumentId, undefined);
          return;
        }
        // Only triggers placed before the request can be missing in the list.
        const before = this.mayHaveFired(instrumentId).filter(({ state }) => state === 'waiting');
        const listed = await this.#list(instrumentId, (text) => {
          this.#noteListed(instrumentId, text);
        });
        if (listed === undefined) return;
        this.#noteListed(instrumentId, undefined);
        this.#compareWith(instrumentId, listed, before);
      });
  }

  /** `failure`: why the triggers could not be listed; undefined if they were. */
  #noteListed(instrumentId: InstrumentId, failure: string | undefined): void {
    if (failure === undefined) this.#unlisted.delete(instrumentId);
    else this.#unlisted.add(instrumentId);
    const text = `${instrumentId}: the triggers at the venue cannot be listed: ${failure ?? ''}`;
    this.#options.onCondition(`triggers ${instrumentId}`, failure === undefined ? undefined : text);
  }

  #compareWith(
    instrumentId: InstrumentId,
    listed: readonly VenueTrigger[],
    before: readonly VenueStop[],
  ): void {
    const ids = new Set(listed.map(({ triggerId }) => triggerId));
    for (const { request, state, triggerId } of before)
      if (state === 'waiting' && triggerId !== undefined && !ids.has(triggerId))
        this.#gone(request.clientOrderId, { code: 'not-listed', text: 'it waits no longer' });
    const known = new Set(this.mayHaveFired(instrumentId).map(({ triggerId }) => triggerId));
    const isSearching = this.mayHaveFired(instrumentId).some(
      ({ triggerId }) => triggerId === undefined,
    );
    if (isSearching) return;
    const strangers = [...ids].filter((triggerId) => !known.has(triggerId));
    const noticed = this.#strangers.get(instrumentId) ?? [];
    this.#strangers.set(instrumentId, strangers);
    for (const triggerId of strangers)
      if (!noticed.includes(triggerId))
        this.#options.onNotice(
          `${instrumentId}: trigger ${triggerId} waits at the venue and is not from this bot`,
        );
  }

  async #list(
    instrumentId: InstrumentId,
    onFailure: (text: string) => void,
  ): Promise<readonly VenueTrigger[] | undefined> {
    const { venue, signal } = this.#options;
    try {
      return await venue.account.triggers?.(instrumentId, { signal });
    } catch (error: unknown) {
      if (!(error instanceof TradingError)) throw error;
      if (!signal.aborted) onFailure(error.message);
      return undefined;
    }
  }

  #beginSearch(clientOrderId: ClientOrderId): void {
    this.#seek(clientOrderId).catch(this.#options.onFailure);
  }

  /** Searches for a trigger whose submit had no answer. If no list shows it, it was never placed; if it has fired, its executions show that. */
  async #seek(clientOrderId: ClientOrderId): Promise<void> {
    const { signal, activity } = this.#options;
    if (!this.#isListed || this.#sought.has(clientOrderId)) return;
    this.#sought.add(clientOrderId);
    let looks = 0;
    // Counted in pauses: the time of the venue may be corrected meanwhile.
    for (let waitedMs = LOOK_MS; ; waitedMs += LOOK_MS) {
      await this.#pause(LOOK_MS);
      const stop = this.#find(clientOrderId);
      if (signal.aborted || stop?.state !== 'unknown') break;
      const { instrumentId } = stop.request;
      const listed = await activity.during(() => this.#list(instrumentId, () => undefined));
      if (listed === undefined) continue;
      looks += 1;
      const found = this.#unclaimed(listed).find((trigger) => isSame(stop, trigger));
      if (found !== undefined) this.#accepted(clientOrderId, found.triggerId);
      else if (looks < 2 || waitedMs < ABSENT_MS) continue;
      else this.#ended(clientOrderId, 'rejected', NOT_SUBMITTED);
      break;
    }
    this.#sought.delete(clientOrderId);
  }

  #unclaimed(listed: readonly VenueTrigger[]): readonly VenueTrigger[] {
    const known = new Set(this.#believed.map(({ triggerId }) => triggerId));
    return listed.filter(({ triggerId }) => !known.has(triggerId));
  }

  #find(clientOrderId: ClientOrderId): VenueStop | undefined {
    return this.#believed.find(({ request }) => request.clientOrderId === clientOrderId);
  }

  #pause(delayMs: number): Promise<void> {
    const { time, signal } = this.#options;
    return new Promise((resolve) => {
      const end = (): void => {
        cancel();
        signal.removeEventListener('abort', end);
        resolve();
      };
      const cancel = time.after('account', delayMs, end);
      signal.addEventListener('abort', end, { once: true });
    });
  }

  // Updates for the engine.

  #accepted(clientOrderId: ClientOrderId, triggerId: string): void {
    const venueOrderId = triggerId as VenueOrderId;
    this.#options.onUpdate({ kind: 'accepted', clientOrderId, venueOrderId, eventTime: this.#now });
  }

  #ended(clientOrderId: ClientOrderId, status: 'rejected' | 'canceled', reason: OrderReason): void {
    this.#options.onUpdate({ kind: 'ended', clientOrderId, status, reason, eventTime: this.#now });
  }

  #gone(clientOrderId: ClientOrderId, reason: OrderReason): void {
    this.#options.onUpdate({
      kind: 'cancel-rejected',
      clientOrderId,
      reason,
      eventTime: this.#now,
    });
  }

  #unknown(clientOrderId: ClientOrderId, reason: OrderReason): void {
    this.#options.onUpdate({
      kind: 'outcome-unknown',
      clientOrderId,
      reason,
      eventTime: this.#now,
    });
    this.#beginSearch(clientOrderId);
  }

  get #now(): EpochMs {
    return this.#options.time.now();
  }
}

const NOT_SUBMITTED: OrderReason = {
  code: 'not-submitted',
  text: 'the venue does not list it: it was never placed',
};

/** Whether a listed trigger equals the sent one. Even if another sender has placed it, it closes the same position. */
function isSame({ request, trigger, level }: VenueStop, listed: VenueTrigger): boolean {
  return (
    listed.action === 'close' &&
    listed.side === request.side &&
    listed.quantity === request.quantity &&
    listed.triggerPrice === level &&
    (listed.trigger === undefined || listed.trigger === trigger)
  );
}
