import { HOUR_MS, type EpochMs, type Fixed } from '../../domain/index.js';
import {
  loanAfter,
  comesAfter,
  dueWithFill,
  NO_LOANS,
  owedAndTold,
  type FillStep,
  type KnownDebt,
  type LoanState,
  type LoanStep,
} from './loan-steps.js';

/** Steps that are older than the newest by more than this are not taken again, in ms: the longest time between two polls. */
const KEPT_MS = HOUR_MS;

/** A step, and the state after it. */
interface TakenStep {
  readonly step: LoanStep;
  after: LoanState;
}

/**
 * The loans in one asset of the margin account. A bot learns of fills of resting orders at a poll, later than of fills on arrival, and what a fill
 * borrows depends on all that happened before it. So a step that is told late takes its place among the last ones, and those after it are taken again.
 */
export class AssetLoans {
  readonly #hourlyRate: Fixed;
  /** State before the kept steps. */
  #base: LoanState;
  readonly #steps: TakenStep[] = [];

  /** @param before debt at the start. @defaultValue none */
  constructor(hourlyRate: Fixed, before?: KnownDebt) {
    this.#hourlyRate = hourlyRate;
    this.#base = { ...NO_LOANS, ...before };
  }

  /** The state after all steps. */
  get state(): LoanState {
    return this.#stateBefore(this.#steps.length);
  }

  /** Takes a fill, before balances book it. `total`: owned less owed, as balances show it. */
  fill(fill: FillStep, total: Fixed): void {
    const place = this.#placeOf(fill);
    this.#resume(total);
    this.take({ ...fill, chargedUntil: this.#chargedFrom(place) });
  }

  /** Takes a step that changes no balance. */
  take(step: LoanStep): void {
    const place = this.#placeOf(step);
    this.#steps.splice(place, 0, { step, after: this.#base });
    for (let at = place; at < this.#steps.length; at += 1) {
      const taken = this.#steps[at] as TakenStep;
      taken.after = loanAfter(this.#stateBefore(at), taken.step, this.#hourlyRate);
    }
    this.#forgetBefore(step.time - KEPT_MS);
  }

  /** First interest that the loan of a fill will owe when it is taken; 0 if nothing will be borrowed. */
  dueWith(fill: FillStep, total: Fixed): Fixed {
    this.#resume(total);
    const place = this.#placeOf(fill);
    const step = { ...fill, chargedUntil: this.#chargedFrom(place) };
    return dueWithFill(this.#stateBefore(place), step, this.#hourlyRate);
  }

  /** Continues with another debt: what is told late no longer changes what came before. */
  restart(debt: KnownDebt): void {
    this.#base = { ...this.state, ...debt };
    this.#steps.length = 0;
  }

  /** Balances decide what is owned: they may have changed without a fill. */
  #resume(total: Fixed): void {
    const last = this.#steps.at(-1);
    const owned = total + owedAndTold(this.state);
    if (last === undefined) this.#base = { ...this.#base, owned };
    else last.after = { ...last.after, owned };
  }

  #stateBefore(place: number): LoanState {
    return this.#steps[place - 1]?.after ?? this.#base;
  }

  #placeOf(step: LoanStep): number {
    let place = this.#steps.length;
    while (place > 0 && comesAfter((this.#steps[place - 1] as TakenStep).step, step)) place -= 1;
    return place;
  }

  /** Until when events have charged hours, in the steps from `place` on; undefined if they have not. */
  #chargedFrom(place: number): EpochMs | undefined {
    const charge = this.#steps
      .slice(place)
      .findLast(({ step }) => step.kind === 'charge' && step.of === 'hour');
    return charge?.step.time;
  }

  #forgetBefore(time: EpochMs): void {
    let count = 0;
    while ((this.#steps[count]?.step.time ?? Number.POSITIVE_INFINITY) < time) count += 1;
    if (count === 0) return;
    this.#base = this.#stateBefore(count);
    this.#steps.splice(0, count);
  }
}
