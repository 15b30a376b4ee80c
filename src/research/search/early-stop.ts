import { dominates } from './front.js';
import type { Costs, SearchMethod } from './search-method.js';
import type { Combination } from './search-space.js';

/** Ends a search after `after` trials in a row without an improvement; with two objectives, without an addition to the front. */
export class EarlyStop implements SearchMethod {
  readonly #method: SearchMethod;
  readonly #after: number;
  #best: readonly Costs[] = [];
  #inVain = 0;

  constructor(method: SearchMethod, after: number) {
    this.#method = method;
    this.#after = after;
  }

  ask(): readonly Combination[] {
    return this.#inVain >= this.#after ? [] : this.#method.ask();
  }

  tell(costs: readonly Costs[]): void {
    for (const each of costs) this.#inVain = this.#enter(each) ? 0 : this.#inVain + 1;
    this.#method.tell(costs);
  }

  #enter(costs: Costs): boolean {
    if (!costs.every(Number.isFinite)) return false;
    const isMatched = this.#best.some(
      (best) => dominates(best, costs) || best.every((cost, index) => cost === costs[index]),
    );
    if (isMatched) return false;
    this.#best = [...this.#best.filter((best) => !dominates(costs, best)), costs];
    return true;
  }
}
