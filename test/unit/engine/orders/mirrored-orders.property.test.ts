import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  formatFixed,
  parseFixed,
  type Direction,
  type Level,
  type OrderIntent,
  type Protection,
} from '../../../../src/domain/index.js';
import { LINEAR } from '../../../support/risk/builders.js';
import { lawRuns } from '../../../support/runs.js';
import { OrderManagerBench } from '../../../support/engine/order-manager-bench.js';

/** The center of the mirror: a price above it becomes a price that is as far below it. */
const CENTER = 100;
const mirror = (price: number): number => (2 * 100 * CENTER - Math.round(price * 100)) / 100;

/** A step of the script for a world and for its mirror. Prices are those of the world. */
type Step =
  | {
      readonly kind: 'enter';
      readonly price: number;
      readonly stop: number;
      readonly profit: number;
      readonly trail: number;
      readonly add: boolean;
    }
  | { readonly kind: 'exit'; readonly contracts: number }
  | {
      readonly kind: 'protect';
      readonly stop: number;
      readonly trail: number;
      readonly profit: number;
    }
  | { readonly kind: 'flatten' }
  | { readonly kind: 'candle' | 'sample'; readonly price: number }
  | { readonly kind: 'fill'; readonly at: number; readonly share: number; readonly price: number }
  | { readonly kind: 'end'; readonly at: number; readonly isRejected: boolean }
  | { readonly kind: 'accept'; readonly at: number }
  | { readonly kind: 'force'; readonly share: number; readonly price: number };

const price = fc.integer({ min: 8_000, max: 12_000 }).map((ticks) => ticks / 100);
const distance = fc.integer({ min: 0, max: 1_500 }).map((ticks) => ticks / 100);
const at = fc.nat({ max: 5 });
const share = fc.integer({ min: 1, max: 10 });
const protection = { stop: distance, profit: distance, trail: distance };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('enter' as const), price, add: fc.boolean(), ...protection }),
  fc.record({ kind: fc.constant('enter' as const), price, add: fc.boolean(), ...protection }),
  fc.record({ kind: fc.constant('exit' as const), contracts: fc.integer({ min: 0, max: 12 }) }),
  fc.record({ kind: fc.constant('protect' as const), ...protection }),
  fc.record({ kind: fc.constant('flatten' as const) }),
  fc.record({ kind: fc.constantFrom('candle' as const, 'sample' as const), price }),
  fc.record({ kind: fc.constantFrom('candle' as const, 'sample' as const), price }),
  fc.record({ kind: fc.constant('fill' as const), at, share, price }),
  fc.record({ kind: fc.constant('fill' as const), at, share, price }),
  fc.record({ kind: fc.constant('end' as const), at, isRejected: fc.boolean() }),
  fc.record({ kind: fc.constant('accept' as const), at }),
  fc.record({ kind: fc.constant('force' as const), share, price }),
);

/** One world: longs at prices as written, or shorts at mirrored ones. */
class World {
  readonly #bench: OrderManagerBench;
  readonly #direction: Direction;
  readonly commands: string[] = [];

  constructor(direction: Direction) {
    this.#direction = direction;
    this.#bench = new OrderManagerBench({
      instruments: [{ instrument: LINEAR, intervals: ['1min'] }],
      remainder: 'resend',
    });
    this.#bench.candle(CENTER);
  }

  play(step: Step): void {
    for (const command of this.#carryOut(step)) this.commands.push(this.#neutral(command));
  }

  #carryOut(step: Step): readonly string[] {
    const bench = this.#bench;
    switch (step.kind) {
      case 'enter':
        return bench.want({
          kind: 'enter',
          direction: this.#direction,
          size: { quantity: '10' },
          limitPrice: this.#text(step.price),
          protection: this.#protection(step),
          ...(step.add && { add: true }),
        });
      case 'exit':
        return bench.want(
          step.contracts === 0
            ? { kind: 'exit' }
            : { kind: 'exit', size: { quantity: String(step.contracts) } },
        );
      case 'protect':
        return bench.want({ kind: 'protect', protection: this.#protection(step) });
      case 'flatten':
        return bench.want({ kind: 'flatten' } satisfies OrderIntent);
      case 'candle':
        return bench.candle(this.#price(step.price));
      case 'sample':
        return bench.sample(this.#text(step.price));
      case 'force': {
        const quantity = this.#partOf(bench.held(this.#direction), step.share);
        const terms = { price: this.#text(step.price) };
        return quantity === '0' ? [] : bench.force(this.#direction, quantity, terms);
      }
      default:
        return this.#answer(step);
    }
  }

  #answer(step: Extract<Step, { readonly kind: 'fill' | 'end' | 'accept' }>): readonly string[] {
    const bench = this.#bench;
    const working = bench.engine.workingOrders;
    const order = working[step.at % Math.max(1, working.length)];
    if (order === undefined) return [];
    const id = order.request.clientOrderId;
    if (step.kind === 'accept') return order.status === 'submitting' ? bench.accept(id) : [];
    if (step.kind === 'end')
      return bench.end(
        id,
        step.isRejected && order.filledQuantity === 0n ? 'rejected' : 'canceled',
      );
    const held = parseFixed(bench.held(this.#direction));
    const isClose = order.request.action === 'close';
    const most = isClose && held < order.remaining ? held : order.remaining;
    const quantity = this.#partOf(formatFixed(most), step.share);
    return quantity === '0' ? [] : bench.fill(id, quantity, { price: this.#text(step.price) });
  }

  #partOf(quantity: string, share: number): string {
    return String(Math.floor((Number(quantity) * share) / 10));
  }

  #protection(step: {
    readonly stop: number;
    readonly profit: number;
    readonly trail: number;
  }): Protection {
    const level = (amount: number): Level => ({ distance: String(amount) });
    return {
      ...(step.stop > 0 && { stopLoss: level(step.stop) }),
      ...(step.profit > 0 && { takeProfit: level(step.profit) }),
      ...(step.trail > 0 && { trailingStop: level(step.trail) }),
    };
  }

  #price(price: number): number {
    return this.#direction === 'long' ? price : mirror(price);
  }

  #text(price: number): string {
    return String(this.#price(price));
  }

  /** The same command in the world of longs. */
  #neutral(command: string): string {
    if (this.#direction === 'long') return command;
    return command
      .replace(/\b(?:buy|sell)\b/, (side) => (side === 'buy' ? 'sell' : 'buy'))
      .replace(/ at ([\d.]+)/, (_all, at: string) => ` at ${String(mirror(Number(at)))}`);
  }
}

describe('the order manager on contracts: laws', () => {
  it('mirrored prices and swapped sides give mirrored orders', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30, size: 'max' }), (script) => {
        const longs = new World('long');
        const shorts = new World('short');

        for (const each of script) {
          longs.play(each);
          shorts.play(each);

          expect(shorts.commands).toEqual(longs.commands);
        }
      }),
      { numRuns: lawRuns() },
    );
  }, 120_000);
});
