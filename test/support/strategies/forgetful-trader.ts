import { createRandom } from '../../../src/engine/random.js';
import type { ExitTerms, OrderHandle } from '../../../src/strategy/index.js';
import { RandomTrader } from './random-trader.js';

/**
 * Raises random intents, long and short, without a memory: they follow only from the engine's prices and account when a
 * candle or a fill comes. A second instance that starts in the middle raises the same intents from there on.
 */
export class ForgetfulTrader extends RandomTrader {
  #draw: () => number = () => 0;

  override random(): number {
    return this.#draw();
  }

  override onCandle(): void {
    this.#forget();
    super.onCandle();
  }

  override onFill(): void {
    this.#forget();
    super.onFill();
  }

  // Most exits are skipped, so that positions last.

  override exit(terms?: ExitTerms): OrderHandle {
    return this.random() < 0.3 ? super.exit(terms) : this.handleOf(this.lastIntent);
  }

  override flatten(instrument?: string): number {
    return this.random() < 0.1 ? super.flatten(instrument) : this.lastIntent;
  }

  /** Begins a new sequence of random numbers, seeded with the present state. */
  #forget(): void {
    const orders = this.workingOrders();
    const known = [
      this.now,
      this.equity.toFixed(),
      ...this.instruments.map(({ instrumentId }) =>
        this.positionOf(instrumentId).quantity.toFixed(),
      ),
      ...orders.map(
        ({ clientOrderId, filledQuantity }) => clientOrderId + filledQuantity.toFixed(),
      ),
    ].join();
    this.lastIntent = orders.at(-1)?.intentId ?? 0;
    this.#draw = createRandom(hashText(known));
  }
}

/** FNV-1a, 32 bits. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text)
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash;
}
