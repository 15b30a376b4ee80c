import { HOUR_MS, TradingError, type Clock, type EpochMs } from '../../domain/index.js';
import type { AccountSource } from '../../venue/index.js';
import type { Engine, OrderHistory } from '../../engine/index.js';
import type { MarketSession } from '../session/market-session.js';
import { unknownCondition } from '../bot/health-news.js';
import type { SentOrderState } from '../session/sent-orders.js';
import { pauseFor, timeOfPhase, type SessionTime } from '../session/session-time.js';
import { newsOfAbsence, newsOfLoss } from './order-updates.js';
import type { SearchReadings } from './search-readings.js';
import { OutcomeSearch, type SearchVerdict, type Undecided } from './outcome-search.js';

interface SettleOutcomeOptions {
  readonly session: Pick<MarketSession, 'commands' | 'learn' | 'orders'> &
    Partial<Pick<MarketSession, 'isGone'>>;
  readonly engine: Pick<Engine, 'hasOrder'>;
  /** Orders of earlier epochs. @defaultValue none */
  readonly history?: Pick<OrderHistory, 'orders'> | undefined;
  readonly venue: { readonly account: AccountSource };
  /** Readings that all searches of the session share. */
  readonly readings: SearchReadings;
  readonly time: SessionTime;
  readonly recvWindowMs: number;
  readonly clockBoundMs: number;
  readonly orderClockBoundMs: number;
  readonly goneAt?: EpochMs | undefined;
  readonly machine: Clock;
  readonly signal: AbortSignal;
  readonly onCondition: (name: string, text: string | undefined) => void;
}

/** Pause between two looks while several orders could be the sought one. Only a person, or time, can then decide. */
const AMBIGUOUS_LOOK_MS = 30_000;

/** An order is no longer searched for if its instrument has been gone for this long without a break, in ms. */
const LOST_AFTER_MS = HOUR_MS;

/**
 * Searches for an order whose submit has no known outcome, reports the outcome, and then resolves (DESIGN §7). Nothing is sent. The bot is degraded
 * until then.
 */
export async function settleOutcome(
  order: SentOrderState,
  options: SettleOutcomeOptions,
): Promise<void> {
  const { time, signal, onCondition } = options;
  const condition = unknownCondition(order.request.clientOrderId);
  const onUndecided = describeSearch(order, options);
  const search = createSearch(order, options);
  const isLost = watchLoss(order, options);
  try {
    for (;;) {
      const verdict = await search.settle({ isLost, onUndecided });
      if (verdict.kind !== 'ambiguous') {
        await tell(order, verdict, options);
        onCondition(condition, undefined);
        return;
      }
      onCondition(condition, verdict.text);
      order.onUnclear();
      await pauseFor(timeOfPhase(time, 'account'), AMBIGUOUS_LOOK_MS, signal);
    }
  } catch (error: unknown) {
    // The session has ended: the journal keeps the order as unknown, and the next start continues the search.
    if (!signal.aborted || !(error instanceof TradingError)) throw error;
  }
}

/** Says that the outcome is not known. Returns a function that also says why, as long as readings fail. */
function describeSearch(
  { request: { clientOrderId, instrumentId } }: SentOrderState,
  { session, onCondition }: SettleOutcomeOptions,
): (verdict: Undecided) => void {
  const text = `${instrumentId}: nobody knows yet what became of order ${clientOrderId}`;
  const say = (why = ''): void => {
    // A gone instrument has its own condition.
    if (session.isGone?.(instrumentId) !== true)
      onCondition(unknownCondition(clientOrderId), text + why);
  };
  let hasFailed = false;
  say();
  return ({ error, why }) => {
    if (error !== undefined) say(`: ${why}`);
    else if (hasFailed) say();
    hasFailed = error !== undefined;
  };
}

/** Returns a function that checks whether an order is lost with its instrument: the instrument may stay gone for ever. */
function watchLoss(
  { request: { instrumentId } }: SentOrderState,
  { session, machine }: SettleOutcomeOptions,
): () => boolean {
  let goneSince: EpochMs | undefined;
  return () => {
    const isGone = session.isGone?.(instrumentId) === true;
    goneSince = isGone ? (goneSince ?? machine.now()) : undefined;
    return goneSince !== undefined && machine.now() - goneSince >= LOST_AFTER_MS;
  };
}

function createSearch(
  { request, sentAt, before }: SentOrderState,
  options: SettleOutcomeOptions,
): OutcomeSearch {
  const { engine, venue, time, machine, signal, session } = options;
  const { recvWindowMs, clockBoundMs, orderClockBoundMs, goneAt } = options;
  const past = new Set(options.history?.orders.map(({ venueOrderId }) => venueOrderId));
  return new OutcomeSearch({
    request,
    sentAt,
    // An ended process has sent its orders before its end.
    sentUntil: goneAt !== undefined && sentAt <= goneAt ? goneAt : time.now(),
    recvWindowMs,
    clockBoundMs,
    orderClockBoundMs,
    before,
    source: venue.account,
    readings: options.readings,
    time: timeOfPhase(time, 'account'),
    machine,
    signal,
    isKnown: (id) =>
      past.has(id) ||
      engine.hasOrder(id) ||
      session.orders.list().some(({ venueOrderId }) => venueOrderId === id),
  });
}

async function tell(
  order: SentOrderState,
  verdict: Exclude<SearchVerdict, { readonly kind: 'undecided' | 'ambiguous' }>,
  { session, time }: SettleOutcomeOptions,
): Promise<void> {
  if (verdict.kind !== 'found') {
    session.orders.end(order);
    const news = verdict.kind === 'absent' ? newsOfAbsence : newsOfLoss;
    session.learn(news(order, time.now()));
    return;
  }
  order.venueOrderId = verdict.order.venueOrderId;
  await session.commands.acknowledge(order);
}
