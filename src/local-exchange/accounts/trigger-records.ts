import type { ClientOrderId, EpochMs, InstrumentId, OrderReason } from '../../domain/index.js';
import type { OrderUpdate, VenueOrderRequest, VenueTrigger } from '../../venue/index.js';
import type { Condition } from '../exchange-account.js';

/** A condition of the account: arriving, waiting for its level, being canceled, or refused with the reason. */
interface TriggerRecord {
  readonly triggerId: string;
  /** Its id in the simulator. */
  readonly internalId: ClientOrderId;
  readonly condition: Condition;
  readonly createdTime: EpochMs;
  state: 'arriving' | 'waiting' | 'canceling' | OrderReason;
}

/** The waiting conditional orders of one account, recorded from the updates of the simulator. */
export class TriggerRecords {
  readonly #records = new Map<string, TriggerRecord>();
  #lastId: bigint;

  constructor(firstId: bigint) {
    this.#lastId = firstId;
  }

  /** Records a condition that is about to arrive. Its order is recorded when the trigger fires. */
  open(condition: Condition, time: EpochMs): TriggerRecord {
    this.#lastId += 1n;
    const triggerId = String(this.#lastId);
    const internalId = triggerId as ClientOrderId;
    const record: TriggerRecord = {
      ...{ triggerId, internalId, condition },
      createdTime: time,
      state: 'arriving',
    };
    this.#records.set(triggerId, record);
    return record;
  }

  /** Why a condition was refused on arrival. Undefined if it waits, or has fired. */
  refusalOf(record: TriggerRecord): OrderReason | undefined {
    if (typeof record.state === 'string') {
      record.state = 'waiting';
      return undefined;
    }
    this.#records.delete(record.internalId);
    return record.state;
  }

  /** Waiting conditions, oldest first. */
  list(instrumentId: InstrumentId): readonly VenueTrigger[] {
    return [...this.#records.values()].flatMap(({ triggerId, condition, createdTime, state }) => {
      const { order, trigger, triggerPrice } = condition;
      const { side, action, quantity } = order;
      const isListed = state === 'waiting' && order.instrumentId === instrumentId;
      if (!isListed || action === undefined) return [];
      const terms = { side, action, trigger, triggerPrice, quantity };
      return [{ instrumentId, triggerId, ...terms, createdTime }];
    });
  }

  /** Marks a waiting condition as being canceled and returns it; undefined if no condition with this id waits. */
  cancel(instrumentId: InstrumentId, triggerId: string): TriggerRecord | undefined {
    const record = this.#records.get(triggerId);
    const isThere =
      record?.state === 'waiting' && record.condition.order.instrumentId === instrumentId;
    if (!isThere) return undefined;
    record.state = 'canceling';
    return record;
  }

  /** The order of a condition whose trigger has fired. Undefined for an update of the condition itself, and of an unknown id. */
  firedBy(
    update: OrderUpdate,
  ): { readonly request: VenueOrderRequest; readonly internalId: ClientOrderId } | undefined {
    const record = this.#records.get(update.clientOrderId);
    if (record === undefined) return undefined;
    if (record.state === 'arriving') {
      if (update.kind === 'ended') record.state = update.reason;
      return undefined;
    }
    this.#records.delete(record.internalId);
    // The condition was canceled, so there is no order.
    if (record.state === 'canceling' && update.kind === 'ended') return undefined;
    return { request: record.condition.order, internalId: record.internalId };
  }
}
