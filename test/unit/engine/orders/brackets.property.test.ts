import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  formatFixed,
  parseFixed,
  type Direction,
  type EnterIntent,
  type Fixed,
} from '../../../../src/domain/index.js';
import type { EngineCheckpoint } from '../../../../src/engine/index.js';
import { cancel, enterLong, enterShort, exit, protect } from '../../../../src/strategy/index.js';
import { OrderManagerBench } from '../../../support/engine/order-manager-bench.js';
import type { EngineSetup } from '../../../support/engine/engine.js';
import { LINEAR } from '../../../support/risk/builders.js';
import { sequenceRuns } from '../../../support/runs.js';

const STEP = parseFixed('0.001');

/** The next event. `pick` chooses among orders, `share` is in tenths. */
interface Step {
  readonly kind: 'enter' | 'fill' | 'end' | 'exit' | 'sample' | 'candle' | 'protect' | 'other';
  readonly pick: number;
  readonly share: number;
  readonly price: number;
  /** Whether the bot restarts before the step. */
  readonly restarts: boolean;
}

const STEPS: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    kind: fc.constantFrom(
      ...(['enter', 'enter', 'fill', 'fill', 'fill', 'end', 'end'] as const),
      ...(['exit', 'sample', 'sample', 'candle', 'protect', 'other'] as const),
    ),
    pick: fc.nat(20),
    share: fc.integer({ min: 1, max: 10 }),
    price: fc.integer({ min: 80, max: 120 }),
    restarts: fc.boolean(),
  }),
  { minLength: 5, maxLength: 60 },
);

/** A bot and a venue that fills and ends any orders. */
class Script {
  bench: OrderManagerBench;
  readonly commands: string[] = [];
  /** Quantities that entries bought and that their brackets sold, by label. */
  readonly bought = new Map<string, Fixed>();
  readonly sold = new Map<string, Fixed>();
  readonly #direction: Direction;
  #entries = 0;
  #last = 100;

  constructor(setup: EngineSetup, direction: Direction) {
    this.bench = new OrderManagerBench(setup);
    this.#direction = direction;
  }

  take(step: Step): void {
    this.#note(this.#do(step));
    this.#check();
  }

  /** The venue ends orders that are being canceled and fills orders that cannot rest, until no such order is left. */
  settle(): void {
    for (let turn = 0; turn < 200; turn += 1) {
      const order = this.bench.engine.workingOrders.find(
        ({ status, canRest }) => status === 'canceling' || !canRest,
      );
      if (order === undefined) return;
      const { clientOrderId: id } = order.request;
      if (order.status === 'canceling') this.#note(this.bench.end(id));
      else this.#fill(id, order.remaining);
      this.#check();
    }
    throw new Error('expected the orders to come to an end');
  }

  sample(price: number): void {
    this.#note(this.bench.sample(String(price)));
  }

  leave(): void {
    this.#note(this.bench.want(exit({ cancelEntries: true })));
    this.settle();
  }

  get brackets(): NonNullable<EngineCheckpoint['sides'][number]['brackets']> {
    const sides = this.bench.engine.checkpoint().sides;
    return sides.flatMap(({ direction, brackets = [] }) =>
      direction === this.#direction ? brackets : [],
    );
  }

  get held(): Fixed {
    return parseFixed(this.bench.held(this.#direction));
  }

  #do({ kind, pick, share, price }: Step): readonly string[] {
    const { bench } = this;
    const order = bench.engine.workingOrders[pick % Math.max(bench.engine.workingOrders.length, 1)];
    const part = order && (order.remaining * BigInt(share)) / 10n;
    switch (kind) {
      case 'enter':
        return bench.want(this.#entry(pick, share));
      case 'fill':
        return order && part ? this.#fill(order.request.clientOrderId, part) : [];
      case 'end':
        if (order === undefined) return [];
        if (order.status !== 'canceling')
          return share > 8 && order.filledQuantity === 0n
            ? bench.end(order.request.clientOrderId, 'rejected')
            : bench.accept(order.request.clientOrderId);
        return share > 8
          ? bench.refuseCancel(order.request.clientOrderId)
          : bench.end(order.request.clientOrderId);
      case 'exit':
        return bench.want(this.#exit(pick, share));
      case 'sample':
        this.#last = price;
        return bench.sample(String(price));
      case 'candle':
        this.#last = price;
        return bench.candle(price);
      case 'protect':
        return bench.want(
          protect(share > 5 ? {} : { stopLoss: { ratio: '0.12' }, takeProfit: { ratio: '0.15' } }),
        );
      case 'other':
        return bench.want(cancel({ label: String(pick) }));
    }
  }

  #entry(pick: number, share: number): EnterIntent {
    const isLong = this.#direction === 'long';
    const away = `0.0${String(share % 9)}1`;
    const bracket = {
      ...(pick % 3 !== 0 && { stopLoss: { ratio: away } }),
      ...(pick % 3 !== 1 && { takeProfit: { ratio: away } }),
    };
    const label = String((this.#entries += 1));
    const limitPrice = String(isLong ? this.#last - (pick % 3) : this.#last + (pick % 3));
    const guarded = pick % 5 === 0 ? {} : { bracket };
    const terms = { add: true, limitPrice, label, ...guarded };
    const size = { quantity: this.#quantity(share) };
    return isLong ? enterLong(size, terms) : enterShort(size, terms);
  }

  #exit(pick: number, share: number): ReturnType<typeof exit> {
    const limitPrice = String(this.#direction === 'long' ? 130 : 70);
    const terms = pick % 2 === 0 ? {} : { limitPrice };
    return share === 10
      ? exit(terms)
      : exit({ size: { quantity: this.#quantity(share) }, ...terms });
  }

  #quantity(share: number): string {
    return this.bench.instrument.kind === 'futures' ? String(share) : String(share / 10);
  }

  #fill(id: string, quantity: Fixed): readonly string[] {
    const { bench } = this;
    const isContract = bench.instrument.kind === 'futures';
    const step = isContract ? 10n ** 18n : STEP;
    const order = bench.engine.workingOrders.find(
      ({ request }) => request.clientOrderId === (id as typeof request.clientOrderId),
    );
    const rounded = quantity - (quantity % step);
    if (order === undefined || rounded <= 0n) return [];
    const { action } = order.request;
    const before = this.held;
    const fee = action === 'open' && !isContract ? rounded / 1000n : 0n;
    const terms = fee === 0n ? {} : { fee: formatFixed(fee), feeAsset: 'BTC' };
    const { label = '', cause } = order;
    const sent = bench.fill(id, formatFixed(rounded), {
      price: order.request.type === 'limit' ? formatFixed(order.request.limitPrice) : '100',
      ...terms,
    });
    const change = this.held - before;
    if (action === 'open') this.bought.set(label, (this.bought.get(label) ?? 0n) + change);
    // The cause of a flip or of an exit is `signal`.
    else if (cause !== 'signal' && label !== '')
      this.sold.set(label, (this.sold.get(label) ?? 0n) - change);
    this.#note(sent);
    return [];
  }

  #note(sent: readonly string[]): void {
    this.commands.push(...sent);
  }

  #check(): void {
    const { held, brackets } = this;
    const { workingOrders } = this.bench.engine;
    let guarded = 0n;
    for (const { quantity } of brackets) {
      expect(quantity >= 0n).toBe(true);
      guarded += quantity;
    }
    expect(guarded <= held).toBe(true);
    let offered = 0n;
    for (const { request, remaining } of workingOrders)
      if (request.action === 'close') offered += remaining;
    expect(offered <= held).toBe(true);
    // A bracket sells no more than its entry bought.
    for (const [label, sold] of this.sold)
      expect(sold <= (this.bought.get(label) ?? 0n)).toBe(true);
    // A bracket that has ended has no working orders, and each working order belongs to exactly one bracket.
    for (const { label, cause, status, request } of workingOrders) {
      if (label === undefined || cause === 'signal' || status === 'canceling') continue;
      const owners = brackets.filter(
        ({ takeProfitId, stopId }) =>
          takeProfitId === request.intentId || stopId === request.intentId,
      );
      expect(owners).toHaveLength(1);
    }
  }
}

const SETUPS: readonly {
  readonly what: string;
  readonly setup: EngineSetup;
  readonly direction: Direction;
}[] = [
  { what: 'longs of a pair', setup: {}, direction: 'long' },
  {
    what: 'longs of a pair, rests sent again',
    setup: { remainder: 'resend' },
    direction: 'long',
  },
  {
    what: 'shorts of a contract',
    setup: { instruments: [{ instrument: LINEAR, intervals: ['1min'] }] },
    direction: 'short',
  },
];

describe('brackets: laws', () => {
  it.each(SETUPS)(
    'guard and sell no more than the position, end once, and survive restarts ($what)',
    ({ setup, direction }) => {
      fc.assert(
        fc.property(STEPS, (steps) => {
          const through = new Script(setup, direction);
          const restarted = new Script(setup, direction);
          for (const step of steps) {
            if (step.restarts) restarted.bench = restarted.bench.restart();
            through.take(step);
            restarted.take(step);
            expect(restarted.commands).toEqual(through.commands);
          }
          through.settle();
          const far = direction === 'long' ? 1 : 1000;
          through.sample(far);
          through.settle();
          through.bench.candle(far);
          through.sample(far);
          through.settle();

          // The brackets that are left belong to entries without a stop, or are too small to be sold.
          for (const { guard, tooSmall, state, stopFailed } of through.brackets) {
            expect(state).toBe('guarding');
            if (guard.stop !== undefined) expect(stopFailed || tooSmall !== undefined).toBe(true);
          }
          through.leave();
          expect(through.brackets).toEqual([]);
        }),
        { numRuns: sequenceRuns() },
      );
    },
    120_000,
  );
});
