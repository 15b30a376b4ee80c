import type {
  ClientOrderId,
  OrderRequest,
  EpochMs,
  OrderIntent,
  Refusal,
  RiskApproved,
  RiskDecision,
} from '../../domain/index.js';
import type { OrderProposal } from '../../risk/index.js';
import type { Command } from '../events.js';
import type { IntentQueue } from '../intents/intent-queue.js';
import type { JournalEntry, RecordedIntent } from '../journal.js';
import type { OrderDecisions } from '../orders/own-orders.js';

const NO_INTENTS: readonly RecordedIntent[] = [];
const NO_COMMANDS: readonly Command[] = [];

function isOfCondition(command: Command): boolean {
  return command.kind === 'cancel' ? command.isCondition === true : command.condition !== undefined;
}

/** Supplies the intents and orders that a journal entry records, in place of the strategy and of risk. */
export class RecordedDecisions implements OrderDecisions {
  readonly #submits = new Map<ClientOrderId, RiskApproved<OrderRequest>>();
  /** Commands for conditional orders, which the venue holds back. The replay never proposes such orders. */
  #conditions: readonly Command[] = NO_COMMANDS;
  readonly #cancels = new Map<ClientOrderId, Command>();
  #intents: readonly RecordedIntent[] = NO_INTENTS;
  #next = 0;

  /** Starts an entry. */
  begin({ commands, intents = NO_INTENTS }: Omit<JournalEntry, 'event'>): void {
    this.#submits.clear();
    this.#cancels.clear();
    this.#conditions = commands.filter(isOfCondition);
    for (const command of commands)
      if (isOfCondition(command)) continue;
      else if (command.kind === 'cancel') this.#cancels.set(command.clientOrderId, command);
      else this.#submits.set(command.order.clientOrderId, command.order);
    this.#intents = intents;
    this.#next = 0;
  }

  /** Adds the intents that were judged up to `now` to a queue, in their order. `problemOf`: finds a problem in the form of an intent. */
  replayInto(
    queue: Pick<IntentQueue, 'restore'>,
    now: EpochMs,
    problemOf: (intent: OrderIntent) => Refusal | undefined,
  ): void {
    for (
      let next = this.#intents[this.#next];
      next !== undefined && next.time <= now;
      next = this.#intents[this.#next]
    ) {
      this.#next += 1;
      const { intentId, intent } = next;
      if (intent !== undefined) queue.restore(intentId, intent, problemOf(intent));
    }
  }

  decide(proposal: OrderProposal): RiskDecision {
    const orders: RiskApproved<OrderRequest>[] = [];
    for (let leg = 0; ; leg += 1) {
      const id = proposal.clientOrderId(leg);
      const order = this.#submits.get(id);
      if (order === undefined) break;
      this.#submits.delete(id);
      orders.push(order);
    }
    return orders.length > 0 ? { kind: 'approved', orders, changes: [] } : REFUSED;
  }

  cancels(clientOrderId: ClientOrderId): boolean {
    return this.#cancels.delete(clientOrderId);
  }

  /** Recorded commands of this entry that the replay has not produced by itself. */
  get left(): readonly Command[] {
    return [
      ...[...this.#submits.values()].map((order) => ({ kind: 'submit' as const, order })),
      ...this.#cancels.values(),
      ...this.#conditions,
    ];
  }
}

const REFUSED: RiskDecision = {
  kind: 'refused',
  refusal: {
    check: 'recovered',
    limit: 'an order in the journal',
    actual: 'none',
    unit: '',
    text: 'it was not sent then',
  },
};
