import {
  formatFixed,
  parseFixed,
  type ClientOrderId,
  type EpochMs,
  type FillRecord,
  type Fixed,
  type InstrumentId,
  type OrderRequest,
} from '../../../src/domain/index.js';
import { buildVenueExchange, type AccountVenue } from '../../../src/local-exchange/index.js';
import { ListingRules } from '../../../src/local-exchange/market/listing-rules.js';
import {
  createConstantFees,
  createDrawnLatency,
  createFixedSlippage,
  nearestOrder,
  SimulatedVenue,
  type LatencyModel,
  type LatencyRange,
} from '../../../src/simulator/index.js';
import { VirtualTime } from '../virtual-time.js';
import {
  MARKET_START,
  SPOT_ID,
  testAccount,
  testInstruments,
  withinProcess,
  type TestExchange,
} from './test-exchange.js';

/** Something a bot decides at an instant. */
export type Decision =
  | {
      readonly kind: 'order';
      readonly time: EpochMs;
      readonly instrumentId: InstrumentId;
      readonly isBuy: boolean;
      readonly isOpen: boolean;
      readonly quantity: Fixed;
      readonly limit: Fixed;
    }
  /** Cancels the order of an earlier decision, if it was on the spot pair. */
  | { readonly kind: 'cancel'; readonly time: EpochMs; readonly of: number };

/** Executions in order, by instrument, and the final balance of each asset on spot, as text. */
export interface Traced {
  readonly fills: readonly string[];
  readonly balances: readonly string[];
}

/** Delays of commands. Each run draws the same sequence. */
export function latencyOf(range: LatencyRange): LatencyModel {
  let state = 1;
  return createDrawnLatency({ submit: range, cancel: range }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  });
}

/** The venue of a backtest on the test instruments, with fees, spread, slippage and a limit by volume. */
export function testVenue(): AccountVenue {
  const rules = new ListingRules();
  for (const { instrument, rules: own } of testInstruments()) rules.list(instrument.id, own);
  return {
    markets: testInstruments(),
    rules: rules.book,
    balances: {
      spot: new Map([
        ['USDT', parseFixed('1000000')],
        ['BTC', parseFixed('10')],
      ]),
      futures: new Map([['USDT', parseFixed('1000000')]]),
    },
    fees: createConstantFees({
      maker: parseFixed('0.0005'),
      taker: parseFixed('0.001'),
      paidIn: 'received',
    }),
    futures: { maxFeeRate: parseFixed('0.0006') },
    slippage: createFixedSlippage(parseFixed('0.0003')),
    halfSpread: parseFixed('0.0001'),
    participation: parseFixed('0.1'),
    fillOnTouch: false,
    chooseOrder: nearestOrder,
  };
}

/** Gives the decisions directly to a venue, in the order of DESIGN R1. The exchange must reach the same result. */
export function runAtVenue(
  decisions: readonly Decision[],
  latency: LatencyModel,
  until: EpochMs,
): Traced {
  const fills: FillRecord[] = [];
  const venue = new SimulatedVenue({
    ...testVenue(),
    onUpdate: (update) => {
      if (update.kind === 'fill') fills.push(update.fill);
    },
  });
  venue.skipTo(MARKET_START);
  const due = decisions.map((decision, index) => {
    const kind = decision.kind === 'order' ? 'submit' : 'cancel';
    return { decision, index, arrival: decision.time + latency.delayMs(kind) };
  });
  const waiting = due.toSorted((a, b) => a.arrival - b.arrival || a.index - b.index);
  for (let time = MARKET_START; ;) {
    venue.completeUntil(time);
    venue.settleUntil(time);
    venue.openAt(time);
    venue.admitWaiting(time);
    while ((waiting[0]?.arrival ?? Number.POSITIVE_INFINITY) <= time) {
      const { decision, index } = waiting.shift() as (typeof due)[number];
      if (decision.kind === 'order') venue.submit(orderOf(decision, index), time);
      else if (isOnSpot(decisions[decision.of])) venue.cancel(idOf(decision.of), time);
    }
    if (time === until) break;
    time = Math.min(until, venue.nextTime(), waiting[0]?.arrival ?? Number.POSITIVE_INFINITY);
  }
  return { fills: traced(fills), balances: amounts(venue.accounts.spot.totals()) };
}

/** Sends the same decisions over HTTP to an exchange in lockstep, and advances it only to times at which something can happen. */
export async function runInLockstep(
  decisions: readonly Decision[],
  latency: LatencyModel,
  until: EpochMs,
): Promise<Traced> {
  const test = withinProcess(
    buildVenueExchange({
      venue: testVenue(),
      start: MARKET_START,
      account: testAccount(),
      updatePollMs: 2_000,
      latency,
      profile: 'interface',
      faults: { seed: 1, rules: [] },
      limits: undefined,
      transport: new VirtualTime(),
    }),
  );
  const answers: Promise<unknown>[] = [];
  const left = decisions.map((decision, index) => ({ decision, index }));
  const nextDecision = (): EpochMs => left[0]?.decision.time ?? Number.POSITIVE_INFINITY;
  for (;;) {
    while (nextDecision() <= test.exchange.parts.marketTime.now()) {
      const next = left.shift();
      if (next !== undefined) answers.push(send(test, next.decision, next.index));
      await settle();
    }
    const time = Math.min((await nextOf(test)) ?? Number.POSITIVE_INFINITY, nextDecision());
    if (time > until) break;
    await advance(test, time);
  }
  await advance(test, until);
  await advance(test, until);
  await Promise.all(answers);
  const { account } = test.exchange.parts.accounts.byUser('10001') ?? {};
  const ids = testInstruments().map(({ instrument }) => instrument.id);
  const fills = ids.flatMap((id) => account?.trades(id, until) ?? []);
  const balances = account?.spot(until).balances ?? [];
  return {
    fills: traced(fills.map((fill) => ({ ...fill, eventTime: fill.time }))),
    balances: amounts(
      new Map(balances.map(({ asset, exact }) => [asset, exact.free + exact.locked])),
    ),
  };
}

function isOnSpot(decision: Decision | undefined): boolean {
  return decision?.kind === 'order' && decision.instrumentId === SPOT_ID;
}

function idOf(index: number): ClientOrderId {
  return `d-${String(index)}` as ClientOrderId;
}

function orderOf(
  { instrumentId, isBuy, isOpen, quantity, limit }: Extract<Decision, { kind: 'order' }>,
  index: number,
): OrderRequest {
  const isSpot = instrumentId === SPOT_ID;
  return {
    clientOrderId: idOf(index),
    intentId: index,
    instrumentId,
    side: isBuy ? 'buy' : 'sell',
    action: (isSpot ? isBuy : isOpen) ? 'open' : 'close',
    quantity,
    unit: isSpot ? 'base' : 'contracts',
    type: 'limit',
    limitPrice: limit,
    timeInForce: 'GTC',
  };
}

async function send(test: TestExchange, decision: Decision, index: number): Promise<void> {
  if (decision.kind === 'cancel') {
    const target = { symbol: 'BTCUSDT', orderId: '0', newClientOrderId: idOf(decision.of) };
    await test.call('spot.cancel', target);
    return;
  }
  const { instrumentId, isBuy, isOpen, quantity, limit } = decision;
  const common = {
    side: isBuy ? 'BUY' : 'SELL',
    type: 'LIMIT',
    volume: formatFixed(quantity),
    price: formatFixed(limit),
  } as const;
  if (instrumentId === SPOT_ID) {
    const newClientOrderId = idOf(index);
    await test.call('spot.order', { ...common, symbol: 'BTCUSDT', newClientOrderId });
  } else {
    const open = isOpen ? 'OPEN' : 'CLOSE';
    await test.call('futures.order', {
      ...({ ...common, contractName: 'E-BTC-USDT', open, positionType: 2 } as const),
    });
  }
}

async function advance(test: TestExchange, to: EpochMs): Promise<void> {
  const { status, text } = await test.control('POST', '/advance', { to });
  if (status !== 200) throw new Error(text);
}

/** Next time at which something can happen, from the control API; undefined if nothing can. */
async function nextOf(test: TestExchange): Promise<EpochMs | undefined> {
  const { json } = await test.control('GET', '/state');
  return (json as { readonly next: { readonly time: EpochMs | null } }).next.time ?? undefined;
}

/** Lets requests that are under way get to the exchange. */
async function settle(): Promise<void> {
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
}

function traced(
  fills: readonly Omit<FillRecord, 'action' | 'clientOrderId' | 'feeAsset'>[],
): readonly string[] {
  return fills
    .map(({ eventTime, instrumentId, side, price, quantity, fee, liquidity }) =>
      [eventTime, instrumentId, side, price, quantity, fee, liquidity].map(String).join(' '),
    )
    .toSorted((a, b) => Number(a.includes('futures:')) - Number(b.includes('futures:')));
}

function amounts(totals: ReadonlyMap<string, Fixed>): readonly string[] {
  return [...totals].map(([asset, amount]) => `${asset} ${formatFixed(amount)}`).toSorted();
}
