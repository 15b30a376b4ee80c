import { isFinalStatus, type OrderIntent } from '../../../src/domain/index.js';
import type { Engine } from '../../../src/engine/index.js';
import type { OrderHandle, Verdict } from '../../../src/strategy/index.js';

/** One intent, as its strategy hears of it. */
interface Followed {
  readonly intent: OrderIntent;
  readonly sentOrders: Set<string>;
  readonly refusals: string[];
  /** Whether it was sent in several orders at once, each of which may be worked, or sent again, by itself. */
  isSplit: boolean;
  hasEnded: boolean;
  /** Whether it had ended before the event that is looked at. */
  hadEnded: boolean;
}

/** What an intent that ends without an order and without a refusal asks: whether it had nothing to do. */
export type HasNothingToDo = (intent: OrderIntent) => boolean;

/**
 * Follows each intent of a strategy to its end, and says where one ends without a reason, is said to be refused twice, or goes on after its end. An
 * end is what `status$` tells; its reason a refusal, the ends of its orders, or that there was nothing to do.
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

  /** Told of each intent when it is raised, before it is judged. */
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

  /** An event has been processed; `verdicts`: all there have been. Throws where an intent does not end as it should. */
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

  /** Those that have not ended. */
  get open(): readonly string[] {
    return [...this.#followed]
      .filter(([, { hasEnded }]) => !hasEnded)
      .map(([intentId, { intent }]) => `${String(intentId)} ${JSON.stringify(intent)}`);
  }

  /** What has ended by now has ended before the next event. */
  settle(): void {
    for (const followed of this.#followed.values()) followed.hadEnded = followed.hasEnded;
  }

  /** Throws where an intent is judged that has ended, or refused again. */
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
    // Said of what its fills would have guarded, which is sold at once: the entry itself has its own end.
    if (check === 'invalid-protection' && followed.sentOrders.size > 0) return;
    followed.refusals.push(check);
    if (followed.refusals.length > mostRefusals(followed))
      this.#fail(intentId, `is refused again: ${followed.refusals.join(', ')}`);
  }

  /** Numbers for which anything works or waits. */
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

  /** Each order that an intent sent has ended; for the end of a run. */
  checkOrdersEnded(engine: Engine): void {
    for (const { request, state } of engine.orders)
      if (this.#followed.has(request.intentId) && !isFinalStatus(state.status))
        this.#fail(request.intentId, `has an order that is ${state.status}`);
  }
}

/** How often an intent can be refused: once, but for what goes out in parts, or to several sides or orders. */
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
