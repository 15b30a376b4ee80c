import {
  formatUtc,
  type FillRecord,
  type InstrumentId,
  type VenueOrderId,
} from '../domain/index.js';
import type { VenueOrder, VenueTrade } from '../venue/index.js';
import type { AccountReaderOptions } from './account-reader-options.js';
import type { SessionTerms } from './session-terms.js';

export interface ForeignOrdersOptions extends Pick<
  SessionTerms,
  'ignoresExternal' | 'onNotice' | 'onCondition'
> {
  /** Cancels an order that nobody wants any more. */
  readonly withdraw: (order: Pick<VenueOrder, 'instrumentId' | 'venueOrderId'>) => void;
}

/** Says what an account shows that is not, or no more, the bot's: entries wait until it is over, or the operator has seen to it. */
export class ForeignOrders implements Pick<
  AccountReaderOptions,
  'onExternal' | 'onExternalOrders' | 'onUnended' | 'onLate'
> {
  readonly #options: ForeignOrdersOptions;
  /** Orders of others that were listed last. */
  readonly #listed = new Map<InstrumentId, ReadonlySet<VenueOrderId>>();

  constructor(options: ForeignOrdersOptions) {
    this.#options = options;
  }

  readonly onExternal = (trades: readonly VenueTrade[]): void => {
    for (const { instrumentId, venueOrderId, time: at } of trades)
      this.#note(instrumentId, `an execution on ${formatUtc(at)} is of order ${venueOrderId}`);
  };

  /** Each order is told of once: what the operator has decided about one that goes on working stands. */
  readonly onExternalOrders = (instrumentId: InstrumentId, found: readonly VenueOrder[]): void => {
    const before = this.#listed.get(instrumentId);
    if (found.length === 0) {
      if (!this.#listed.delete(instrumentId)) return;
      this.#options.onCondition(orderCondition(instrumentId), undefined);
      return;
    }
    const ids = found.map(({ venueOrderId }) => venueOrderId);
    this.#listed.set(instrumentId, new Set(ids));
    for (const id of ids)
      if (before?.has(id) !== true)
        this.#note(instrumentId, `order ${id} works there`, orderCondition(instrumentId));
  };

  /** What is not the bot's can change its position. */
  #note(instrumentId: InstrumentId, text: string, name = `foreign ${instrumentId}`): void {
    const { ignoresExternal = false, onNotice, onCondition } = this.#options;
    const line = `${instrumentId}: ${text}, which this bot did not send`;
    if (ignoresExternal) onNotice(line);
    else onCondition(name, line);
  }

  /** Nobody wants these any more. Entries wait until they have ended. */
  readonly onUnended = (instrumentId: InstrumentId, found: readonly VenueOrder[]): void => {
    const ids = found.map(({ venueOrderId }) => venueOrderId);
    for (const venueOrderId of ids) this.#options.withdraw({ instrumentId, venueOrderId });
    const text = `${instrumentId}: ${ids.join(', ')} works there, whose end was told before; it is canceled`;
    this.#options.onCondition(`unended ${instrumentId}`, ids.length === 0 ? undefined : text);
  };

  readonly onLate = (fills: readonly FillRecord[]): void => {
    for (const { instrumentId, clientOrderId, eventTime } of fills)
      this.#options.onCondition(
        `late ${instrumentId}`,
        `${instrumentId}: an execution on ${formatUtc(eventTime)} is of order ${clientOrderId}, whose end was told before`,
      );
  };
}

/** Ends with the orders, whereas an execution stays until the operator has seen it. */
function orderCondition(instrumentId: InstrumentId): string {
  return `foreign order ${instrumentId}`;
}
