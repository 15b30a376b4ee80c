import { map, take, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';

import {
  AuthError,
  MINUTE_MS,
  OutcomeUnknownError,
  parseFixed,
  SECOND_MS,
  TransportError,
  WireFormatError,
  type InstrumentId,
  type OrderIntent,
  type OrderRequest,
  type TradingError,
  type VenueOrderId,
} from '../../../src/domain/index.js';
import { MarketFeed, PollQueue } from '../../../src/feed/index.js';
import {
  createSessionTime,
  MarketSession,
  type MarketSessionOptions,
} from '../../../src/live/index.js';
import { Activity } from '../../../src/live/bot/activity.js';
import { enterLong, Strategy, type Market } from '../../../src/strategy/index.js';
import type {
  CallOptions,
  CancelOutcome,
  OrderTarget,
  SubmitOutcome,
  VenueOrder,
  VenueTrade,
} from '../../../src/venue/index.js';
import { DryRunExecution } from '../../../src/assembly/bot/connection/dry-run-execution.js';
import { FakeAccount } from '../../support/feed/fake-account.js';
import { BTC, candleAt, FakeMarket } from '../../support/feed/fake-market.js';
import { aLimitRequest } from '../../support/order-requests.js';
import { SPOT } from '../../support/risk/builders.js';
import { aStartedEngine, START } from '../../support/engine/engine.js';
import { stagedOf } from '../../support/live/staged-account.js';
import { settle, VirtualTime } from '../../support/virtual-time.js';

/** Bids for one coin, once, with its first candle after the warm-up. */
class Bidder extends Strategy({}) {
  override readonly warmup = 1;

  override intents(market: Market): Observable<OrderIntent> {
    return market.candles$().pipe(
      map(() => enterLong({ quantity: '1' }, { limitPrice: '90' })),
      take(2),
    );
  }
}

/** A venue that takes orders and shows the orders that a test sets. */
class Venue extends FakeAccount {
  open: VenueOrder[] = [];
  readonly ended = new Map<string, VenueOrder>();
  failure: Error | undefined;
  /** Replaces the reading of open orders: it ends when the test decides. @defaultValue none */
  answers: (() => Promise<never>) | undefined;

  override openOrders(
    _instrumentId?: InstrumentId,
    options?: CallOptions,
  ): Promise<readonly VenueOrder[]> {
    if (this.answers !== undefined)
      return Promise.race([this.answers(), rejectedWith(options?.signal)]);
    return this.failure === undefined ? Promise.resolve(this.open) : Promise.reject(this.failure);
  }

  override order({ venueOrderId }: Partial<OrderTarget> = {}): Promise<VenueOrder | undefined> {
    const listed = this.open.find((order) => order.venueOrderId === venueOrderId);
    return Promise.resolve(this.ended.get(venueOrderId ?? '') ?? listed);
  }

  end(order: VenueOrder): void {
    this.open = this.open.filter(({ venueOrderId }) => venueOrderId !== order.venueOrderId);
    this.ended.set(order.venueOrderId, { ...order, status: 'canceled' });
  }
}

class Execution extends DryRunExecution {
  readonly sent: string[] = [];
  readonly #venue: Venue;
  failure: Error | undefined;

  constructor(venue: Venue) {
    super();
    this.#venue = venue;
  }

  /** Answers a submit when the test decides. @defaultValue no time */
  answers: ((signal: AbortSignal) => Promise<SubmitOutcome>) | undefined;

  override submit(request?: OrderRequest, options?: CallOptions): Promise<SubmitOutcome> {
    this.sent.push('submit');
    if (this.answers !== undefined && options !== undefined) return this.answers(options.signal);
    if (this.failure !== undefined) return Promise.reject(this.failure);
    const venueOrderId = '11' as VenueOrderId;
    if (request !== undefined) this.#venue.open.push(stagedOf(request, venueOrderId));
    return Promise.resolve({
      kind: 'accepted',
      venueOrderId,
      status: undefined,
      filledQuantity: undefined,
    });
  }

  override cancel(target?: OrderTarget): Promise<CancelOutcome> {
    this.sent.push(`cancel ${target?.venueOrderId ?? ''}`);
    return Promise.resolve({ kind: 'requested', status: 'canceling' });
  }
}

/** Rejects when the signal ends the call. */
function rejectedWith(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => {
      reject(signal.reason as Error);
    });
  });
}

function aSession(options: Partial<MarketSessionOptions> = {}) {
  const time = new VirtualTime(START + MINUTE_MS);
  const market = new FakeMarket(time);
  const venue = new Venue(time);
  const execution = new Execution(venue);
  const engine = aStartedEngine(Bidder);
  const conditions = new Map<string, string>();
  const told: string[] = [];
  const notices: string[] = [];
  const failures: unknown[] = [];
  const session = new MarketSession({
    engine,
    venue: {
      market,
      account: venue,
      execution,
      feed: new MarketFeed({ source: market, time }),
      pollQueue: new PollQueue(time),
    },
    instruments: [SPOT],
    time: createSessionTime(time),
    activity: new Activity(),
    streams: [{ instrumentId: BTC, interval: '1min', history: [candleAt(START)] }],
    marksAt: () => [],
    fundingRateKnown: 'current',
    dataDelayMs: 0,
    alignMs: 0,
    lateMs: MINUTE_MS,
    updatePollMs: 2 * SECOND_MS,
    stopGrids: new Map([[BTC, SECOND_MS]]),
    idleMs: MINUTE_MS,
    lastTrades: new Map(),
    isSequential: false,
    travel: (_command, _time, depart) => {
      depart();
    },
    resolveUnknown: () => Promise.resolve(),
    onProcessed: (event, commands) => {
      const { kind } = event;
      told.push(kind === 'venue' ? event.update.kind : kind, ...commands.map((each) => each.kind));
    },
    onCondition: (name, text) => {
      if (text === undefined) conditions.delete(name);
      else conditions.set(name, text);
    },
    onNotice: (text) => notices.push(text),
    onFailure: (error) => failures.push(error),
    ...options,
  });
  const begin = async (): Promise<void> => {
    void session.warmUp();
    session.run();
    await time.advance(MINUTE_MS + 5 * SECOND_MS);
  };
  return {
    time,
    market,
    venue,
    execution,
    engine,
    session,
    begin,
    conditions,
    told,
    notices,
    failures,
  };
}

/** An order that somebody else sent. */
const EXTERNAL = stagedOf(aLimitRequest({ id: 'by-hand', instrumentId: BTC }), '99');

function aTrade(order: VenueOrder): VenueTrade {
  return {
    instrumentId: BTC,
    venueTradeId: '1',
    venueOrderId: order.venueOrderId,
    buyOrderId: order.venueOrderId,
    sellOrderId: '7' as VenueOrderId,
    side: 'buy',
    liquidity: 'maker',
    price: parseFixed('90'),
    quantity: parseFixed('1'),
    notional: undefined,
    fee: 0n,
    feeAsset: 'USDT',
    time: START + 2 * MINUTE_MS,
    buyUserId: undefined,
    sellUserId: undefined,
  };
}

describe('MarketSession', () => {
  it('reads nothing before it runs', async () => {
    const { time, session, market, venue } = aSession();
    void session.warmUp();
    await time.advance(MINUTE_MS);

    expect([...market.calls, ...venue.calls]).toEqual([]);
  });

  it('sends the commands of the engine, and reports their outcome to it', async () => {
    const { begin, told, engine, execution } = aSession();

    await begin();

    expect(told).toEqual(['candles', 'opening', 'candles', 'submit', 'accepted']);
    expect(execution.sent).toEqual(['submit']);
    expect(engine.workingOrders).toMatchObject([{ status: 'open', venueOrderId: '11' }]);
  });

  it('sends a command only when its travel time is over', async () => {
    const waiting: (() => void)[] = [];
    const { begin, execution } = aSession({
      travel: (_command, _time, depart) => {
        waiting.push(depart);
      },
    });
    await begin();
    const before = [...execution.sent];

    for (const depart of waiting) depart();
    await settle();

    expect([before, execution.sent]).toEqual([[], ['submit']]);
  });

  it('polls its orders, and reports their executions and their end', async () => {
    const { begin, told, venue, time } = aSession();
    await begin();
    const [order] = venue.open;
    if (order === undefined) throw new Error('expected an order');
    venue.executions = [aTrade(order)];
    venue.end({ ...order, filledQuantity: parseFixed('1') });

    await time.advance(3 * SECOND_MS);

    expect(told.slice(-2)).toEqual(['accepted', 'fill']);
  });

  it('searches for an order without an answer, and does not send it again', async () => {
    const sought: string[] = [];
    const { begin, told, execution, time } = aSession({
      resolveUnknown: ({ request }) => {
        sought.push(request.clientOrderId);
        return Promise.resolve();
      },
    });
    execution.failure = new OutcomeUnknownError('E_OUTCOME_UNKNOWN', 'no answer');

    await begin();
    await time.advance(MINUTE_MS);

    expect(told).toContain('outcome-unknown');
    expect(sought).toHaveLength(1);
    expect(execution.sent).toEqual(['submit']);
  });

  it.each([
    ['degrades the bot by', false, [`foreign order ${BTC}`], 0],
    ['only says, where they are to be ignored, that there are', true, [], 1],
  ] as const)('%s external orders', async (_, ignoresExternal, names, said) => {
    const { session, conditions, notices, venue, execution } = aSession({ ignoresExternal });
    venue.open = [EXTERNAL];

    await session.readAccount();

    expect([...conditions.keys()]).toEqual(names);
    expect(notices).toHaveLength(said);
    expect(execution.sent).toEqual([]);
  });

  it('cancels an own order that works after its end, and is degraded meanwhile', async () => {
    const { begin, session, conditions, venue, execution, time } = aSession();
    await begin();
    const [order] = venue.open;
    if (order === undefined) throw new Error('expected an order');
    venue.end(order);
    await time.advance(3 * SECOND_MS);
    venue.ended.clear();
    venue.open = [order];
    await session.readAccount();
    await session.readAccount();
    const during = [...conditions.keys()];
    venue.open = [];
    await session.readAccount();

    expect(execution.sent).toEqual(['submit', 'cancel 11']);
    expect(during).toEqual([`unended ${BTC}`]);
    expect([...conditions.keys()]).toEqual([]);
  });

  it('reports an execution of an own order after its end', async () => {
    const { begin, session, conditions, venue, told, time } = aSession();
    await begin();
    const [order] = venue.open;
    if (order === undefined) throw new Error('expected an order');
    venue.end(order);
    await time.advance(3 * SECOND_MS);
    venue.executions = [aTrade(order)];

    await session.readAccount();

    expect([...conditions.keys()]).toEqual([`late ${BTC}`]);
    expect(told).not.toContain('fill');
  });

  it('reports that the account cannot be read, until it can', async () => {
    const { begin, conditions, venue, time } = aSession();
    await begin();
    venue.failure = new TransportError('E_TIMEOUT', 'no answer');
    await time.advance(5 * SECOND_MS);
    const during = conditions.get('account');
    venue.failure = undefined;
    await time.advance(5 * SECOND_MS);

    expect(during).toBe('account: no answer');
    expect(conditions.has('account')).toBe(false);
  });

  it.each<readonly [string, TradingError]>([
    ['its key is refused', new AuthError('E_AUTH', 'wrong key')],
    ['answers cannot be read', new WireFormatError('E_WIRE_JSON', 'HTML')],
  ])('is degraded while %s, and recovers afterwards', async (_name, failure) => {
    const { begin, conditions, execution, venue, told, time, failures } = aSession();
    execution.failure = failure;
    await begin();
    expect(told).toContain('ended');

    venue.failure = failure;
    await time.advance(5 * MINUTE_MS);
    expect(conditions.get('account')).toBe(`account: ${failure.message}`);

    venue.failure = undefined;
    await time.advance(MINUTE_MS);
    expect(conditions.has('account')).toBe(false);
    expect(failures).toEqual([]);
  });

  it('fails once with an error that no retry can solve, and processes nothing after it', async () => {
    const { begin, failures, venue, told, session, time } = aSession();
    await begin();
    venue.failure = new TypeError('a defect');
    await time.advance(10 * SECOND_MS);
    const before = told.length;

    session.tell((at) => ({ kind: 'operator', time: at, action: 'reduce-only' }));
    await time.advance(MINUTE_MS);

    expect(failures).toEqual([venue.failure]);
    expect(told).toHaveLength(before);
  });

  it('ends its polls and its searches for lost orders when it stops, and processes nothing after it', async () => {
    const { begin, session, told, market, venue, time } = aSession();
    await begin();
    const { searching } = session;

    await session.stop();
    const calls = market.calls.length + venue.calls.length;
    const before = told.length;
    session.tell((at) => ({ kind: 'operator', time: at, action: 'reduce-only' }));
    await time.advance(10 * MINUTE_MS);

    expect(searching.aborted).toBe(true);
    expect(market.calls.length + venue.calls.length).toBe(calls);
    expect(told).toHaveLength(before);
  });
});

describe('MarketSession.stop while the venue does not answer', () => {
  it('ends waiting readings after three seconds', async () => {
    const { begin, session, venue, time } = aSession();
    await begin();
    venue.answers = () => new Promise(() => undefined);
    await time.advance(4 * SECOND_MS);
    let isOver = false;
    const stopping = session.stop().finally(() => {
      isOver = true;
    });

    await time.advance(2_999);
    expect(isOver).toBe(false);
    await time.advance(1);
    await stopping;
  });

  it('waits for the answer to a sent order as long as answers may take', async () => {
    const { begin, session, execution, time } = aSession();
    execution.answers = (signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          reject(new OutcomeUnknownError('E_OUTCOME_UNKNOWN', 'no answer'));
        });
      });
    await begin();
    let isOver = false;
    const stopping = session.stop().finally(() => {
      isOver = true;
    });

    await time.advance(23_999);
    expect(isOver).toBe(false);
    await time.advance(1);
    await stopping;

    expect(time.pending).toBe(0);
  });
});
