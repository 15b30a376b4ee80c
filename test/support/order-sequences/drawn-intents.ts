import fc from 'fast-check';

import type {
  Bracket,
  Direction,
  EnterIntent,
  ExitIntent,
  Level,
  OrderIntent,
  OrderReference,
  Protection,
  TargetIntent,
  TimeInForce,
  Work,
} from '../../../src/domain/index.js';

/** The state of the market when an intent is raised. Prices of the intent are relative to it. */
export interface Moment {
  readonly last: number;
  /** Traded instruments. @defaultValue the first, without a name */
  readonly instruments?: readonly string[];
  /** Factor for the drawn distances from last. @defaultValue 1 */
  readonly calm?: number;
}

/** A drawn intent, still without prices. */
export interface DrawnIntent {
  readonly at: (moment: Moment) => OrderIntent;
}

/** Differences between products. */
export interface IntentTerms {
  readonly isContract: boolean;
  readonly hasShorts: boolean;
}

/** A price at a distance from last, in hundredths of a percent. */
function priceAway({ last, calm = 1 }: Moment, basisPoints: number): string {
  return Math.max(0.01, (last * (10_000 + basisPoints * calm)) / 10_000).toFixed(2);
}

const maybe = <T>(arbitrary: fc.Arbitrary<T>, often = 1): fc.Arbitrary<readonly T[]> =>
  fc.oneof(
    { weight: often, arbitrary: arbitrary.map((value) => [value]) },
    { weight: 2, arbitrary: fc.constant([]) },
  );
const percent = (most: number): fc.Arbitrary<string> =>
  fc.integer({ min: 1, max: most }).map((value) => String(value / 100));

const level: fc.Arbitrary<Level> = fc.oneof(
  percent(15).map((ratio) => ({ ratio })),
  fc.integer({ min: 1, max: 12 }).map((distance) => ({ distance: String(distance) })),
);
const bracket: fc.Arbitrary<Bracket> = fc.oneof(
  fc.record({ stopLoss: level, takeProfit: level }),
  fc.record({ stopLoss: level }),
  fc.record({ takeProfit: level }),
);
const protection: fc.Arbitrary<Protection> = fc.record(
  { stopLoss: level, takeProfit: level, trailingStop: level },
  { requiredKeys: [] },
);
const work: fc.Arbitrary<Work> = fc.oneof(
  fc.constantFrom('2s', '90s').map((limitFor): Work => ({ limitFor, then: 'market' })),
  fc.constantFrom('1s', '5s').map((every) => ({ chase: { every, maxBps: '200' } })),
  fc
    .tuple(fc.constantFrom('4s', '4min'), fc.integer({ min: 2, max: 5 }))
    .map(([over, slices]) => ({ twap: { over, slices } })),
);
const label = fc.constantFrom('a', 'b', 'c');
const away = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: -200, max: 200 }) },
  { weight: 1, arbitrary: fc.integer({ min: -4_000, max: 4_000 }) },
);
const side: fc.Arbitrary<Direction> = fc.constantFrom('long', 'short');
const reference: fc.Arbitrary<OrderReference> = fc.oneof(
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 20 }).map((intentId) => ({ intentId })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('a', 'b', 'c', 'take-profit').map((name) => ({ label: name })),
  },
);
/** Index of an instrument; mostly the first. */
const place = fc.constantFrom(0, 0, 0, 1);

function instrumentAt({ instruments = [] }: Moment, at: number): { readonly instrument?: string } {
  const instrument = instruments[at % Math.max(instruments.length, 1)];
  return instrument === undefined ? {} : { instrument };
}

/** Common terms of entries and exits. */
type Terms = Omit<EnterIntent | ExitIntent, 'kind' | 'direction' | 'size'>;

function terms({ isContract }: IntentTerms): fc.Arbitrary<(moment: Moment) => Terms> {
  const times: readonly TimeInForce[] = isContract ? ['IOC', 'FOK', 'POST_ONLY'] : ['GTC'];
  const life = fc.oneof(
    { weight: 4, arbitrary: fc.constant({}) },
    fc.constantFrom('1s', '3min').map((expireAfter) => ({ expireAfter })),
    fc.integer({ min: 1, max: 5_000 }).map((goodForMs) => ({ goodForMs })),
  );
  return fc
    .record({
      life,
      price: maybe(fc.tuple(away, maybe(fc.constantFrom(...times))), 4),
      group: maybe(fc.constantFrom('one', 'two')),
      worked: maybe(work),
      name: maybe(label, 3),
      at: place,
    })
    .map((drawn) => (moment) => {
      const [how] = drawn.worked;
      const mayHavePrice = how === undefined || 'limitFor' in how;
      const [price] = mayHavePrice ? drawn.price : [];
      const [timeInForce] = how === undefined ? (price?.[1] ?? []) : [];
      const [oco] = drawn.group;
      const [name] = drawn.name;
      return {
        ...drawn.life,
        ...instrumentAt(moment, drawn.at),
        ...(price !== undefined && { limitPrice: priceAway(moment, price[0]) }),
        ...(timeInForce !== undefined && { timeInForce }),
        ...(oco !== undefined && { oco }),
        ...(how !== undefined && { work: how }),
        ...(name !== undefined && { label: name }),
      };
    });
}

/** Quantities in base, in steps of 0.001, or in whole contracts; sometimes a large one. */
function quantities({ isContract }: IntentTerms): fc.Arbitrary<string> {
  const most = isContract ? [30, 400] : [3_000, 60_000];
  return fc
    .oneof(...most.map((max) => fc.integer({ min: 1, max })))
    .map((count) => String(isContract ? count : count / 1_000));
}

function entries(product: IntentTerms): fc.Arbitrary<DrawnIntent> {
  const size: fc.Arbitrary<EnterIntent['size']> = fc.oneof(
    { weight: 3, arbitrary: quantities(product).map((quantity) => ({ quantity })) },
    fc.integer({ min: 1, max: 6_000 }).map((money) => ({ notional: String(money) })),
    percent(60).map((equity) => ({ equity })),
    percent(2).map((risk) => ({ risk })),
  );
  const guards = fc.oneof(
    { weight: 2, arbitrary: fc.constant({}) },
    protection.map((levels) => ({ protection: levels })),
    { weight: 2, arbitrary: bracket.map((levels) => ({ bracket: levels })) },
  );
  return fc
    .record({
      size,
      guards,
      add: maybe(fc.constant(true), 6),
      direction: product.hasShorts ? side : fc.constant<Direction>('long'),
      common: terms(product),
    })
    .map(({ size: wanted, guards: levels, add: [add], direction, common }) => ({
      at: (moment): EnterIntent => ({
        kind: 'enter',
        direction,
        size: wanted,
        ...levels,
        ...(add !== undefined && { add }),
        ...common(moment),
      }),
    }));
}

function exits(product: IntentTerms): fc.Arbitrary<DrawnIntent> {
  const part: fc.Arbitrary<NonNullable<ExitIntent['size']>> = fc.oneof(
    { weight: 2, arbitrary: quantities(product).map((quantity) => ({ quantity })) },
    percent(100).map((share) => ({ share })),
  );
  return fc
    .record({
      size: maybe(part, 3),
      cancelEntries: maybe(fc.constant(true)),
      direction: maybe(side),
      common: terms(product),
    })
    .map(({ size: [size], cancelEntries: [cancelEntries], direction: [direction], common }) => ({
      at: (moment): ExitIntent => ({
        kind: 'exit',
        ...(size !== undefined && { size }),
        ...(cancelEntries !== undefined && { cancelEntries }),
        ...(direction !== undefined && { direction }),
        ...common(moment),
      }),
    }));
}

function targets(product: IntentTerms): fc.Arbitrary<DrawnIntent> {
  const sign = product.hasShorts ? fc.constantFrom('', '', '-') : fc.constant('');
  const to = fc.oneof(
    fc.tuple(sign, quantities(product)).map(([minus, value]) => ({ quantity: minus + value })),
    fc.tuple(sign, percent(90)).map(([minus, value]) => ({ weight: minus + value })),
    fc.integer({ min: 0, max: 4_000 }).map((money) => ({ notional: String(money) })),
  );
  return fc
    .record({
      all: fc.array(to, { minLength: 1, maxLength: 2 }),
      tolerance: maybe(percent(10)),
      name: maybe(label, 3),
    })
    .map(({ all, tolerance: [tolerance], name: [name] }) => ({
      at: (moment): TargetIntent => ({
        kind: 'target',
        targets: all
          .slice(0, moment.instruments?.length ?? 1)
          .map((one, at) => ({ to: one, ...instrumentAt(moment, at) })),
        ...(tolerance !== undefined && { tolerance }),
        ...(name !== undefined && { label: name }),
      }),
    }));
}

function changes(product: IntentTerms): readonly fc.Arbitrary<DrawnIntent>[] {
  const replace = fc
    .record({ target: reference, price: maybe(away, 6), quantity: maybe(quantities(product)) })
    .map(({ target, price: [price], quantity: [quantity] }) => ({
      at: (moment: Moment): OrderIntent => ({
        kind: 'replace',
        target,
        ...(price !== undefined && { limitPrice: priceAway(moment, price) }),
        ...(quantity !== undefined && { quantity }),
      }),
    }));
  const protect = fc
    .record({ levels: protection, direction: maybe(side), at: place })
    .map(({ levels, direction: [direction], at }) => ({
      at: (moment: Moment): OrderIntent => ({
        kind: 'protect',
        protection: levels,
        ...(direction !== undefined && { direction }),
        ...instrumentAt(moment, at),
      }),
    }));
  const cancel = reference.map((target) => ({
    at: (): OrderIntent => ({ kind: 'cancel', target }),
  }));
  return [replace, protect, cancel];
}

/** Any intent of a strategy. Entries and exits of every kind are more frequent than intents that change or end them. */
export function drawnIntents(product: IntentTerms): fc.Arbitrary<DrawnIntent> {
  const flatten = fc.constant({ at: (): OrderIntent => ({ kind: 'flatten' }) });
  return fc.oneof(
    { weight: 8, arbitrary: entries(product) },
    { weight: 5, arbitrary: exits(product) },
    { weight: 2, arbitrary: targets(product) },
    { weight: 1, arbitrary: flatten },
    ...changes(product).map((arbitrary) => ({ weight: 2, arbitrary })),
  );
}
