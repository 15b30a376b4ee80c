import type { EpochMs } from '../../domain/index.js';
import type { BranchState, Junction } from './branch-points.js';
import { CASH_ACCOUNTS, type Cash } from './cash-tolerance.js';

/**
 * Which branches are joined: `whole` those that agree in all that the figures of the whole run follow from; `equity` also those that differ in
 * cash that nobody reads any more, or in what they did to get there: they end with equities as far apart as their cash is.
 */
export type Joining = 'whole' | 'equity';

/** Where branches have been, to be found by state. */
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

  /** A branch that was in this state at `time`, and from which everything has been tried. */
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
