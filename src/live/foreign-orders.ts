import { formatUtc, type FillRecord, type InstrumentId } from '../domain/index.js';
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

  constructor(options: ForeignOrdersOptions) {
    this.#options = options;
  }

  readonly onExternal = (trades: readonly VenueTrade[]): void => {
    for (const { instrumentId, venueOrderId, time: at } of trades)
      this.#note(instrumentId, `an execution on ${formatUtc(at)} is of order ${venueOrderId}`);
  };

  readonly onExternalOrders = (found: readonly VenueOrder[]): void => {
    for (const { instrumentId, venueOrderId } of found)
      this.#note(instrumentId, `order ${venueOrderId} works there`);
  };

  /** What is not the bot's can change its position. */
  #note(instrumentId: InstrumentId, text: string): void {
    const { ignoresExternal = false, onNotice, onCondition } = this.#options;
    const line = `${instrumentId}: ${text}, which this bot did not send`;
    if (ignoresExternal) onNotice(line);
    else onCondition(`foreign ${instrumentId}`, line);
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
