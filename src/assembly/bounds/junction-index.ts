import type { EpochMs } from '../../domain/index.js';
import type { BranchState, Junction } from './branch-points.js';
import { CASH_ACCOUNTS, type Cash } from './cash-tolerance.js';

/**
 * Which branches are joined. `whole`: those that agree in everything that decides figures of the whole run. `equity`: also those that differ in cash that
 * nothing reads any more, or in their past. Their final equities differ by the same amount as their cash.
 */
export type Joining = 'whole' | 'equity';

/** States that branches have reached, by key. */
export class JunctionIndex {
  readonly #joining: Joining;
  readonly #junctions = new Map<string, Junction[]>();

  constructor(joining: Joining) {
    this.#joining = joining;
  }

  add(junction: Junction): void {
    const { key } = junction.state;
    const others = this.#junctions.get(key);
    if (others === undefined) this.#junctions.set(key, [junction]);
    else others.push(junction);
  }

  /** Finds a branch that was in this state at `time`, and whose outcomes from there are all known. */
  find(
    state: BranchState,
    time: EpochMs,
  ): { readonly junction: Junction; readonly offset: Cash } | undefined {
    for (const junction of this.#junctions.get(state.key) ?? []) {
      const offset = differenceOf(state.cash, junction.state.cash);
      if (this.#goesOnAlike(junction, { state, time, offset })) return { junction, offset };
    }
    return undefined;
  }

  #goesOnAlike(
    { from, until, outcome, state: there }: Junction,
    at: { readonly state: BranchState; readonly time: EpochMs; readonly offset: Cash },
  ): boolean {
    const { state: here, time, offset } = at;
    if (time < from || time >= until || outcome === undefined) return false;
    if (outcome.readsOrders && here.orders !== there.orders) return false;
    if (this.#joining === 'equity') return outcome.tolerance.allows(offset);
    const isSameCash = CASH_ACCOUNTS.every((account) => offset[account] === 0n);
    return isSameCash && time === from && here.history === there.history;
  }
}

function differenceOf(one: Cash, other: Cash): Cash {
  return { spot: one.spot - other.spot, futures: one.futures - other.futures };
}
