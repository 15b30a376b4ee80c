import fc from 'fast-check';

import {
  MINUTE_MS,
  parseFixed,
  type ClientOrderId,
  type OrderRequest,
  type PositionAction,
  type Side,
  type TimeInForce,
} from '../../../src/domain/index.js';
import type { TriggerKind } from '../../../src/venue/index.js';
import { orderOn } from '../any-order.js';
import { mostOf } from './twin-sizes.js';
import type { TwinMarket, VenueTwins } from './venue-twins.js';

interface OrderDraft {
  readonly type: 'limit' | 'market';
  readonly side: Side;
  readonly action: PositionAction;
  readonly ticks: number;
  /** Whether its price follows the jump. */
  readonly follows: boolean;
  readonly amount: number;
  /** Percent of the money that the account can pay, or of its position. Undefined: `amount` counts, whether it fits or not. */
  readonly share: number | undefined;
  readonly timeInForce: TimeInForce;
}

type Step = fc.Command<Record<string, never>, TwinMarket>;

/** One step. After it both venues must agree. */
abstract class VenueStep implements Step {
  protected abstract act(market: TwinMarket): void;

  abstract toString(): string;

  check(): boolean {
    return true;
  }

  run(_model: Record<string, never>, market: TwinMarket): void {
    this.act(market);
    market.twins.compare();
  }
}

class Submit extends VenueStep {
  readonly #draft: OrderDraft;

  get side(): Side {
    return this.#draft.side;
  }

  constructor(draft: OrderDraft) {
    super();
    this.#draft = draft;
  }

  protected act(market: TwinMarket): void {
    const { share, action } = this.#draft;
    const closes = share !== undefined && action === 'close';
    const side = (closes ? market.twins.closingSide() : undefined) ?? this.#draft.side;
    market.twins.submit(requestOf({ ...this.#draft, side }, market));
  }

  toString(): string {
    return `submit ${JSON.stringify(this.#draft)}`;
  }
}

/** A trigger with an order. A closing trigger closes a held position. The level is up to 10 ticks ahead of last, or one tick behind it. */
class Condition extends VenueStep {
  readonly #draft: OrderDraft;
  readonly #trigger: TriggerKind;
  readonly #away: number;

  constructor(draft: OrderDraft, trigger: TriggerKind, away: number) {
    super();
    this.#draft = draft;
    this.#trigger = trigger;
    this.#away = away;
  }

  protected act(market: TwinMarket): void {
    const { twins } = market;
    const trigger = this.#trigger;
    const order = requestOf({ ...this.#draft, ...this.#fitting(twins) }, market);
    const ticks = twins.lastTicks(order.instrumentId) + this.#away * towards(trigger, order.side);
    twins.condition({ order, trigger, triggerPrice: parseFixed(priceText(ticks)) });
  }

  #fitting(twins: VenueTwins): Partial<OrderDraft> {
    const side = twins.closingSide();
    if (this.#trigger === 'chase-up') return { action: 'open', side: 'buy' };
    if (this.#trigger === 'chase-down') return { action: 'open', side: 'sell' };
    if (side === undefined) return {};
    return { action: 'close', side, amount: this.#draft.amount % 40 };
  }

  toString(): string {
    return `${this.#trigger} ${String(this.#away)} away ${JSON.stringify(this.#draft)}`;
  }
}

/** Direction from which last reaches the level: 1 from below, -1 from above. */
function towards(trigger: TriggerKind, side: Side): 1 | -1 {
  if (trigger === 'chase-up') return 1;
  if (trigger === 'chase-down') return -1;
  return (trigger === 'stop-loss') === (side === 'sell') ? -1 : 1;
}

class Cancel extends VenueStep {
  readonly #of: number;

  constructor(of: number) {
    super();
    this.#of = of;
  }

  protected act({ twins }: TwinMarket): void {
    twins.cancel(`o${String(this.#of % (twins.orders + 1))}` as ClientOrderId);
  }

  toString(): string {
    return `cancel ${String(this.#of)}`;
  }
}

class Wait extends VenueStep {
  readonly #ms: number;

  constructor(ms: number) {
    super();
    this.#ms = ms;
  }

  protected act({ twins }: TwinMarket): void {
    twins.wait(this.#ms);
  }

  toString(): string {
    return `wait ${String(this.#ms)}`;
  }
}

function requestOf(draft: OrderDraft, market: TwinMarket): OrderRequest {
  const { twins, instrument, jump } = market;
  const id = `o${String(twins.orders)}`;
  twins.orders += 1;
  const limitPrice = priceText(draft.ticks + (draft.follows ? jump : 0));
  return orderOn(instrument, { ...draft, id, limitPrice, ...amountsOf(draft, market, limitPrice) });
}

/** On contracts, numbers of contracts. Otherwise base rounded to the step, and quote. */
function amountsOf(
  { share = 0, amount, side, action }: OrderDraft,
  market: TwinMarket,
  limitPrice: string,
): { readonly quantity: string; readonly money: string } {
  const most = (mostOf(market, { side, action }) * share) / 100;
  if (market.instrument.kind === 'futures') {
    const contracts = String(most < 1 ? 1 + Math.floor(amount / 8) : Math.floor(most));
    return { quantity: contracts, money: contracts };
  }
  const base = side === 'buy' ? most / Number(limitPrice) : most;
  return {
    quantity: (base < 0.001 ? amount / 1_000 : Math.floor(base * 1_000) / 1_000).toFixed(3),
    money: (most < 1 ? amount / 10 : Math.floor(most * 10) / 10).toFixed(1),
  };
}

function priceText(ticks: number): string {
  return (Math.max(1, ticks) / 100).toFixed(2);
}

const price = fc.integer({ min: 9_890, max: 9_930 });

/** Opening orders are more frequent, so that there are positions to close. */
const draft: fc.Arbitrary<OrderDraft> = fc.record({
  type: fc.constantFrom('limit', 'limit', 'market'),
  side: fc.constantFrom<Side>('buy', 'sell'),
  action: fc.constantFrom<PositionAction>('open', 'open', 'open', 'close'),
  ticks: price,
  follows: fc.boolean(),
  amount: fc.integer({ min: 1, max: 3_000 }),
  share: fc.option(fc.integer({ min: 5, max: 105 }), { nil: undefined, freq: 2 }),
  timeInForce: fc.constantFrom<TimeInForce>('GTC', 'GTC', 'GTC', 'IOC', 'FOK', 'POST_ONLY'),
});

/** An order before all other steps. It fills at once if there is volume. */
export type Entry = Step & { readonly side: Side };

/** Positions held from the start; sometimes on both sides. */
export const ENTRIES: fc.Arbitrary<readonly Entry[]> = fc.array(
  fc
    .record({
      side: fc.constantFrom<Side>('buy', 'sell'),
      amount: fc.integer({ min: 300, max: 3_000 }),
      share: fc.option(fc.integer({ min: 60, max: 95 }), { nil: undefined, freq: 2 }),
    })
    .map(({ side, ...rest }) => {
      const ticks = side === 'buy' ? 9_930 : 9_890;
      const common = { type: 'limit', action: 'open', timeInForce: 'GTC' } as const;
      return new Submit({ ...rest, ...common, side, ticks, follows: false });
    }),
  { minLength: 1, maxLength: 3 },
);

/** Waits mostly end at corners of the paths, otherwise anywhere. */
const wait = fc.oneof(
  fc.integer({ min: 1, max: 5 }).map((corners) => (corners * MINUTE_MS) / 3),
  fc.integer({ min: 1, max: MINUTE_MS }),
);

/** Steps at a venue for pairs. */
export const PAIR_STEPS: fc.Arbitrary<Step>[] = [
  draft.map((one) => new Submit(one)),
  draft.map((one) => new Submit(one)),
  fc.nat({ max: 12 }).map((of) => new Cancel(of)),
  wait.map((ms) => new Wait(ms)),
];

const TRIGGERS = ['stop-loss', 'take-profit', 'chase-up', 'chase-down'] as const;

const condition = fc
  .tuple(draft, fc.constantFrom<TriggerKind>(...TRIGGERS), fc.integer({ min: -1, max: 10 }))
  .map((parts) => new Condition(...parts));

/** Steps at a venue for contracts. */
export const CONTRACT_STEPS: fc.Arbitrary<Step>[] = [...PAIR_STEPS, condition];
