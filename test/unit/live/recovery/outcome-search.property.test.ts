import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  createInstrumentId,
  FIXED_ONE,
  type EpochMs,
  type OrderRequest,
  type VenueOrderId,
} from '../../../../src/domain/index.js';
import { OutcomeSearch, VISIBILITY_MS } from '../../../../src/live/recovery/outcome-search.js';
import { NOTHING_SEEN } from '../../../../src/live/session/sent-orders.js';
import type { VenueOrder } from '../../../../src/venue/index.js';
import { lawRuns } from '../../../support/runs.js';
import { aLimitRequest, aMarketRequest } from '../../../support/order-requests.js';
import { StagedAccount, stagedOf, type StagedOrder } from '../../../support/live/staged-account.js';
import { VirtualTime } from '../../../support/virtual-time.js';

const SENT = Date.UTC(2025, 0, 1);
const RECV_WINDOW = 5_000;
const ORDER_CLOCK_BOUND = 30_000;
const OURS = '1000' as VenueOrderId;

/** The owner of an order at the venue. */
type Owner = 'ours' | 'our twin' | 'equal external order' | 'other external order';

interface Planted {
  readonly owner: Owner;
  readonly staged: StagedOrder;
}

interface History {
  readonly request: OrderRequest;
  readonly clockBoundMs: number;
  /** Orders at the venue. Our order arrived if one of them is ours. */
  readonly planted: readonly Planted[];
  readonly failures: readonly boolean[];
  readonly slowMs: number;
  /** Difference between the clock that dates orders and the clock that the venue reports. */
  readonly skewMs: number;
}

describe('OutcomeSearch', () => {
  it('never calls an existing order absent, and never finds an order that differs', async () => {
    const seen = new Map<string, number>();

    await fc.assert(
      fc.asyncProperty(histories(), async (history) => {
        const { verdict, at, account } = await search(history);
        const exists = history.planted.some(({ owner }) => owner === 'ours');
        const isNamed = !history.request.instrumentId.startsWith('futures');
        const externalOrders = idsOf(history, 'equal external order');
        seen.set(verdict.kind, (seen.get(verdict.kind) ?? 0) + 1);

        switch (verdict.kind) {
          case 'absent':
            expect(exists).toBe(false);
            // The verdict comes no earlier than the time by which the order must have been visible.
            expect(at).toBeGreaterThanOrEqual(SENT + RECV_WINDOW + VISIBILITY_MS);
            break;
          case 'found': {
            const { venueOrderId } = verdict.order;
            // If no answer names our id, an external order with equal fields cannot be told from ours.
            const possible = [...(exists ? [OURS] : []), ...(isNamed ? [] : externalOrders)];
            expect(possible).toContain(venueOrderId);
            break;
          }
          case 'ambiguous':
            expect(externalOrders).not.toEqual([]);
            break;
        }
        expect(account.calls.map(({ what }) => what.split(' ')[0])).not.toContain('submit');
      }),
      { numRuns: lawRuns() },
    );

    for (const kind of ['absent', 'found', 'ambiguous']) expect(seen.get(kind)).toBeGreaterThan(50);
  });

  it('finds an existing order, and calls a missing one absent, if no external order has equal fields', async () => {
    const lonely = histories().map((history) => ({
      ...history,
      planted: history.planted.filter(({ owner }) => owner !== 'equal external order'),
    }));

    await fc.assert(
      fc.asyncProperty(lonely, async (history) => {
        const { verdict } = await search(history);

        const exists = history.planted.some(({ owner }) => owner === 'ours');
        expect(verdict).toMatchObject(
          exists ? { kind: 'found', order: { venueOrderId: OURS } } : { kind: 'absent' },
        );
      }),
      { numRuns: lawRuns() },
    );
  });

  it('never calls an order absent that works or has traded, whatever the times of the venue', async () => {
    const mistimed = histories(7_200_000).filter(({ planted }) =>
      planted.some(
        ({ owner, staged: { executions = [], end } }) =>
          owner === 'ours' && (executions.length > 0 || end === undefined),
      ),
    );

    await fc.assert(
      fc.asyncProperty(mistimed, async (history) => {
        const { verdict } = await search(history);

        expect(verdict.kind).not.toBe('absent');
      }),
      { numRuns: lawRuns() },
    );
  });
});

async function search({ request, clockBoundMs, planted, failures, slowMs, skewMs }: History) {
  const time = new VirtualTime(SENT);
  const account = new StagedAccount(time);
  const known = new Set(idsIn(planted, 'our twin'));
  account.orders = planted.map(({ staged }) => staged);
  account.failures = failures;
  account.slowMs = slowMs;
  account.skewMs = skewMs;
  const outcome = new OutcomeSearch({
    request,
    sentAt: SENT,
    recvWindowMs: RECV_WINDOW,
    clockBoundMs,
    orderClockBoundMs: ORDER_CLOCK_BOUND,
    before: { tradeId: '0', orders: NOTHING_SEEN.orders },
    source: account,
    time,
    machine: time,
    signal: new AbortController().signal,
    isKnown: (id) => known.has(id),
  });
  const settling = outcome.settle();
  await time.drain();
  return { verdict: await settling, at: time.now(), account };
}

function idsOf({ planted }: History, owner: Owner): readonly VenueOrderId[] {
  return idsIn(planted, owner);
}

function idsIn(planted: readonly Planted[], owner: Owner): readonly VenueOrderId[] {
  return planted
    .filter((order) => order.owner === owner)
    .map(({ staged }) => staged.order.venueOrderId);
}

function histories(maxSkewMs = ORDER_CLOCK_BOUND): fc.Arbitrary<History> {
  return fc.tuple(requests(), fc.integer({ min: 0, max: 1_000 })).chain(([request, clockBoundMs]) =>
    fc.record({
      request: fc.constant(request),
      clockBoundMs: fc.constant(clockBoundMs),
      planted: plantedOrders(request, clockBoundMs),
      failures: fc.array(fc.boolean(), { maxLength: 12 }),
      slowMs: fc.constantFrom(0, 0, 40, 900),
      skewMs: fc.integer({ min: -maxSkewMs, max: maxSkewMs }),
    }),
  );
}

function requests(): fc.Arbitrary<OrderRequest> {
  const contract = { instrumentId: createInstrumentId('futures', 'E-BTC-USDT'), quantity: '3' };
  const ofContract = { unit: 'contracts', marginMode: 'isolated' } as const;
  return fc.constantFrom<OrderRequest>(
    aLimitRequest({ quantity: '3' }),
    aMarketRequest({ quantity: '3' }),
    aMarketRequest({ quantity: '300', side: 'buy' }),
    { ...aLimitRequest(contract), ...ofContract },
    { ...aLimitRequest({ ...contract, side: 'sell' }), ...ofContract },
    { ...aMarketRequest(contract), ...ofContract },
    { ...aMarketRequest({ ...contract, side: 'buy' }), unit: 'quote', marginMode: 'isolated' },
  );
}

/** Our order, which may never have arrived, its known twins, external orders that equal it, and external orders that differ. */
function plantedOrders(
  request: OrderRequest,
  clockBoundMs: number,
): fc.Arbitrary<readonly Planted[]> {
  const inWindow = fc.integer({ min: -clockBoundMs, max: RECV_WINDOW + clockBoundMs });
  const anyTime = fc.integer({ min: -7_200_000, max: 60_000 });
  const isFutures = request.instrumentId.startsWith('futures');
  const names: Partial<VenueOrder> = isFutures ? {} : { clientOrderId: undefined };
  const others = isFutures ? undefined : 'other-bot';
  return fc
    .record({
      ours: fc.option(lives(request, { made: inWindow, terms: fc.constant({}) }), {
        nil: undefined,
        freq: 2,
      }),
      twins: fc.array(lives(request, { made: anyTime, terms: fc.constant({}) }), { maxLength: 2 }),
      equal: fc.array(lives(request, { made: inWindow, terms: fc.constant(names) }), {
        maxLength: 1,
      }),
      different: fc.array(
        lives(request, {
          made: anyTime,
          terms: differences(request).map((terms) => ({ ...terms, clientOrderId: others })),
        }),
        { maxLength: 3 },
      ),
    })
    .map(({ ours, twins, equal, different }) => {
      const orders = [
        ...(ours === undefined ? [] : [{ owner: 'ours', life: ours } as const]),
        ...twins.map((life) => ({ owner: 'our twin', life }) as const),
        ...equal.map((life) => ({ owner: 'equal external order', life }) as const),
        ...different.map((life) => ({ owner: 'other external order', life }) as const),
      ];
      return orders.map(({ owner, life }, index) => {
        const id = owner === 'ours' ? OURS : String(2_000 + index);
        return { owner, staged: stagedLife(request, id, life) };
      });
    });
}

/** Fields in which an order differs from the request. */
function differences(request: OrderRequest): fc.Arbitrary<Partial<VenueOrder>> {
  const other: readonly Partial<VenueOrder>[] = [
    { side: request.side === 'buy' ? 'sell' : 'buy' },
    { quantity: request.quantity + FIXED_ONE },
    // A trade shows no more than this of an order that is not ours; larger than ours, it need not be looked at.
    request.type === 'limit'
      ? { limitPrice: request.limitPrice + FIXED_ONE }
      : { type: 'limit', limitPrice: 100n * FIXED_ONE },
    ...(request.instrumentId.startsWith('futures')
      ? [{ action: request.action === 'open' ? 'close' : 'open' } as const]
      : []),
  ];
  return fc.constantFrom(...other);
}

interface Life {
  readonly terms: Partial<VenueOrder>;
  readonly madeAfterMs: number;
  readonly isTimeShown: boolean;
  readonly showsAfterMs: number;
  readonly fills: readonly { readonly afterMs: number; readonly showsAfterMs: number }[];
  readonly end: { readonly afterMs: number; readonly showsAfterMs: number } | undefined;
}

function lives(
  request: OrderRequest,
  {
    made,
    terms,
  }: { readonly made: fc.Arbitrary<number>; readonly terms: fc.Arbitrary<Partial<VenueOrder>> },
): fc.Arbitrary<Life> {
  const visibility = fc.integer({ min: 0, max: VISIBILITY_MS });
  return fc
    .record({
      terms,
      madeAfterMs: made,
      isTimeShown: fc.boolean(),
      showsAfterMs: visibility,
      fills: fc.array(
        fc.record({ afterMs: fc.integer({ min: 0, max: 40_000 }), showsAfterMs: visibility }),
        { maxLength: 3 },
      ),
      end: fc.option(
        fc.record({ afterMs: fc.integer({ min: 0, max: 40_000 }), showsAfterMs: visibility }),
        { nil: undefined },
      ),
    })
    .map((life) => ({
      ...life,
      // Spot does not list ended orders, so an order that ends without a trade looks like none.
      end:
        life.fills.length === 0 && !request.instrumentId.startsWith('futures')
          ? undefined
          : life.end,
    }));
}

function stagedLife(request: OrderRequest, id: string, life: Life): StagedOrder {
  const { terms, madeAfterMs, fills, end } = life;
  const made: EpochMs = SENT + madeAfterMs;
  const createdTime = life.isTimeShown ? made : undefined;
  const price = request.type === 'limit' ? request.limitPrice : 100n * FIXED_ONE;
  return {
    order: stagedOf(request, id, { createdTime, ...terms }),
    visibleAt: made + life.showsAfterMs,
    executions: fills.map(({ afterMs, showsAfterMs }, index) => {
      const at = made + Math.min(afterMs, end?.afterMs ?? afterMs);
      const tradeId = `${id}${String(index)}`;
      return { tradeId, at, visibleAt: at + showsAfterMs, price, quantity: FIXED_ONE };
    }),
    ...(end !== undefined && {
      end: {
        at: made + end.afterMs,
        visibleAt: made + end.afterMs + end.showsAfterMs,
        status: 'filled',
      },
    }),
  };
}
