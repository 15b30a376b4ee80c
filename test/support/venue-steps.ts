import fc from 'fast-check';

import {
  MINUTE_MS,
  parseFixed,
  type ClientOrderId,
  type FuturesInstrument,
  type InstrumentId,
  type OrderRequest,
  type PositionAction,
  type Side,
  type TimeInForce,
} from '../../src/domain/index.js';
import type { TriggerKind } from '../../src/venue/index.js';
import { aContractLimit, aContractMarket } from './futures-venue.js';
import { aLimitRequest, aMarketRequest } from './order-requests.js';
import type { VenueTwins } from './venue-twins.js';

/** What is traded in a sequence, and by how many ticks its prices jumped, which orders may follow. */
export interface TwinMarket {
  readonly twins: VenueTwins;
  readonly instrument: FuturesInstrument | InstrumentId;
  readonly jump: number;
}

interface Wish {
  readonly type: 'limit' | 'market';
  readonly side: Side;
  readonly action: PositionAction;
  readonly ticks: number;
  /** Whether its price follows the jump. */
  readonly follows: boolean;
  readonly amount: number;
  readonly timeInForce: TimeInForce;
}

type Step = fc.Command<Record<string, never>, TwinMarket>;

/** One step; after it both venues must say the same. */
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
  readonly #wish: Wish;

  constructor(wish: Wish) {
    super();
    this.#wish = wish;
  }

  protected act(market: TwinMarket): void {
    market.twins.submit(requestOf(this.#wish, market));
  }

  toString(): string {
    return `submit ${JSON.stringify(this.#wish)}`;
  }
}

/** What is held decides what a closing trigger closes; its level lies a few ticks away, where it is not reached yet, or anywhere. */
class Condition extends VenueStep {
  readonly #wish: Wish;
  readonly #trigger: TriggerKind;
  readonly #away: number;

  constructor(wish: Wish, trigger: TriggerKind, away: number) {
    super();
    this.#wish = wish;
    this.#trigger = trigger;
    this.#away = away;
  }

  protected act(market: TwinMarket): void {
    const { twins } = market;
    const trigger = this.#trigger;
    const order = requestOf({ ...this.#wish, ...this.#fitting(twins) }, market);
    const isBelow =
      trigger === 'chase-down' || (trigger === 'stop-loss') === (order.side === 'sell');
    const ticks = twins.lastTicks(order.instrumentId) + (isBelow ? -this.#away : this.#away);
    twins.condition({ order, trigger, triggerPrice: parseFixed(priceText(ticks)) });
  }

  #fitting(twins: VenueTwins): Partial<Wish> {
    const side = twins.closingSide();
    if (this.#trigger === 'chase-up') return { action: 'open', side: 'buy' };
    if (this.#trigger === 'chase-down') return { action: 'open', side: 'sell' };
    return side === undefined ? {} : { action: 'close', side, amount: this.#wish.amount % 40 };
  }

  toString(): string {
    return `${this.#trigger} ${String(this.#away)} away ${JSON.stringify(this.#wish)}`;
  }
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

function requestOf(
  { type, side, action, ticks, follows, amount, timeInForce }: Wish,
  { twins, instrument, jump }: TwinMarket,
): OrderRequest {
  const id = `o${String(twins.orders)}`;
  twins.orders += 1;
  const limitPrice = priceText(ticks + (follows ? jump : 0));
  if (typeof instrument !== 'string') {
    const common = { id, instrument, side, action, quantity: String(1 + Math.floor(amount / 8)) };
    return type === 'market'
      ? aContractMarket(common)
      : aContractLimit({ ...common, limitPrice, timeInForce });
  }
  const common = { id, instrumentId: instrument, side };
  const quantity = (amount / 1_000).toFixed(3);
  if (type === 'limit') return aLimitRequest({ ...common, quantity, limitPrice, timeInForce });
  return aMarketRequest({ ...common, quantity: side === 'buy' ? String(amount / 10) : quantity });
}

function priceText(ticks: number): string {
  return (Math.max(1, ticks) / 100).toFixed(2);
}

const price = fc.integer({ min: 9_890, max: 9_930 });

/** Orders that open come more often, so that there is something to close. */
const wish: fc.Arbitrary<Wish> = fc.record({
  type: fc.constantFrom('limit', 'limit', 'market'),
  side: fc.constantFrom<Side>('buy', 'sell'),
  action: fc.constantFrom<PositionAction>('open', 'open', 'open', 'close'),
  ticks: price,
  follows: fc.boolean(),
  amount: fc.integer({ min: 1, max: 3_000 }),
  timeInForce: fc.constantFrom<TimeInForce>('GTC', 'GTC', 'GTC', 'IOC', 'FOK', 'POST_ONLY'),
});

/** Mostly to corners of the paths, else anywhere. */
const wait = fc.oneof(
  fc.integer({ min: 1, max: 5 }).map((corners) => (corners * MINUTE_MS) / 3),
  fc.integer({ min: 1, max: MINUTE_MS }),
);

/** What can happen at a venue for pairs. */
export const PAIR_STEPS: fc.Arbitrary<Step>[] = [
  wish.map((one) => new Submit(one)),
  wish.map((one) => new Submit(one)),
  fc.nat({ max: 12 }).map((of) => new Cancel(of)),
  wait.map((ms) => new Wait(ms)),
];

const TRIGGERS = ['stop-loss', 'take-profit', 'chase-up', 'chase-down'] as const;

const condition = fc
  .tuple(wish, fc.constantFrom<TriggerKind>(...TRIGGERS), fc.integer({ min: -1, max: 10 }))
  .map((parts) => new Condition(...parts));

/** What can happen at a venue for contracts. */
export const CONTRACT_STEPS: fc.Arbitrary<Step>[] = [...PAIR_STEPS, condition];
