import { isFinalStatus, type OrderIntent } from '../../../src/domain/index.js';
import type { Engine } from '../../../src/engine/index.js';
import type { OrderHandle, Verdict } from '../../../src/strategy/index.js';

/** One intent, with the results that its strategy received. */
interface Followed {
  readonly intent: OrderIntent;
  readonly sentOrders: Set<string>;
  readonly refusals: string[];
  /** Whether it was sent in several orders at once, each of which may be worked, or sent again, by itself. */
  isSplit: boolean;
  hasEnded: boolean;
  /** Whether it had ended before the present event. */
  hadEnded: boolean;
}

/** Tells whether an intent had nothing to do. Called for an intent that ends without an order and without a refusal. */
export type HasNothingToDo = (intent: OrderIntent) => boolean;

/**
 * Follows each intent of a strategy to its end. Throws if an intent ends without a reason, is refused twice, or continues after its end. The
 * end is the completion of `status$`. The reason is a refusal, the ends of its orders, or that it had nothing to do.
 */
export class IntentEnds {
  readonly #followed = new Map<number, Followed>();
  readonly #hasNothingToDo: HasNothingToDo;
  /** How many intents ended by which reason. */
  readonly reasons = new Map<string, number>();
  #seenVerdicts = 0;

  constructor(hasNothingToDo: HasNothingToDo) {
    this.#hasNothingToDo = hasNothingToDo;
  }

  /** Follows an intent from the time it is raised, before risk judges it. */
  readonly follow = ({ intentId, status$ }: OrderHandle, intent: OrderIntent): void => {
    const followed: Followed = {
      intent,
      sentOrders: new Set(),
      refusals: [],
      isSplit: false,
      hasEnded: false,
      hadEnded: false,
    };
    this.#followed.set(intentId, followed);
    status$.subscribe({
      complete: () => {
        followed.hasEnded = true;
      },
    });
  };

  /** Checks the intents after an event; `verdicts`: all verdicts so far. Throws if an intent does not end correctly. */
  check(engine: Engine, verdicts: readonly Verdict[]): void {
    for (const verdict of verdicts.slice(this.#seenVerdicts)) this.hear(verdict);
    this.#seenVerdicts = verdicts.length;
    const alive = this.#aliveOf(engine);
    for (const [intentId, followed] of this.#followed) {
      if (!followed.hasEnded) continue;
      if (alive.has(intentId)) this.#fail(intentId, 'goes on after its end');
      if (!followed.hadEnded) this.#end(intentId, followed);
      followed.hadEnded = true;
    }
  }

  /** Intents that have not ended. */
  get open(): readonly string[] {
    return [...this.#followed]
      .filter(([, { hasEnded }]) => !hasEnded)
      .map(([intentId, { intent }]) => `${String(intentId)} ${JSON.stringify(intent)}`);
  }

  /** Marks intents that have ended by now as ended before the next event. */
  settle(): void {
    for (const followed of this.#followed.values()) followed.hadEnded = followed.hasEnded;
  }

  /** Takes a verdict. Throws if it is about an ended intent, or is a second refusal. */
  hear({ intentId, decision }: Pick<Verdict, 'intentId' | 'decision'>): void {
    const followed = this.#followed.get(intentId);
    if (followed === undefined) return;
    if (followed.hadEnded) this.#fail(intentId, `is judged after its end: ${decision.kind}`);
    if (decision.kind === 'approved') {
      followed.isSplit ||= decision.orders.length > 1;
      const isOver = followed.refusals.length >= mostRefusals(followed);
      if (isOver) this.#fail(intentId, 'is approved after it was refused');
      for (const { clientOrderId } of decision.orders) followed.sentOrders.add(clientOrderId);
      return;
    }
    const { check } = decision.refusal;
    // This refusal is about the guards of its fills, whose quantity is sold at once. The entry itself ends by its orders.
    if (check === 'invalid-protection' && followed.sentOrders.size > 0) return;
    followed.refusals.push(check);
    if (followed.refusals.length > mostRefusals(followed))
      this.#fail(intentId, `is refused again: ${followed.refusals.join(', ')}`);
  }

  /** Numbers of intents with a working order or a waiting intent. */
  #aliveOf(engine: Engine): ReadonlySet<number> {
    const alive = new Set(engine.waitingIntents.map(({ intentId }) => intentId));
    for (const { origin, request, replacement } of engine.workingOrders) {
      alive.add(origin);
      alive.add(request.intentId);
      if (replacement !== undefined) alive.add(replacement.intentId);
    }
    return alive;
  }

  #end(intentId: number, { intent, sentOrders, refusals }: Followed): void {
    const reason =
      refusals.at(-1) ??
      (sentOrders.size > 0 ? 'orders' : this.#hasNothingToDo(intent) ? 'nothing to do' : undefined);
    if (reason === undefined) this.#fail(intentId, 'ends without a reason');
    this.reasons.set(reason, (this.reasons.get(reason) ?? 0) + 1);
  }

  #fail(intentId: number, what: string): never {
    const intent = JSON.stringify(this.#followed.get(intentId)?.intent);
    throw new Error(`intent ${String(intentId)} ${what}: ${intent}`);
  }

  /** Checks that each order of an intent has ended; for the end of a run. */
  checkOrdersEnded(engine: Engine): void {
    for (const { request, state } of engine.orders)
      if (this.#followed.has(request.intentId) && !isFinalStatus(state.status))
        this.#fail(request.intentId, `has an order that is ${state.status}`);
  }
}

/** Largest number of refusals of an intent: one, unless it is sent in parts, or to several sides or orders. */
function mostRefusals({ intent, isSplit }: Followed): number {
  const isSliced =
    (intent.kind === 'enter' || intent.kind === 'exit') &&
    intent.work !== undefined &&
    'twap' in intent.work;
  if (isSliced || isSplit) return Number.POSITIVE_INFINITY;
  switch (intent.kind) {
    case 'enter':
    case 'protect':
    case 'cancel':
      return 1;
    case 'exit':
      return intent.direction === undefined ? 2 : 1;
    case 'flatten':
    case 'replace':
    case 'target':
      return Number.POSITIVE_INFINITY;
  }
}
