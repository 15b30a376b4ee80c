import {
  formatUtc,
  type FillRecord,
  type InstrumentId,
  type VenueOrderId,
} from '../../domain/index.js';
import type { VenueOrder, VenueTrade } from '../../venue/index.js';
import type { AccountReaderOptions } from './account-reader-options.js';
import type { SessionTerms } from '../session/session-terms.js';

interface ExternalWatchOptions extends Pick<
  SessionTerms,
  'ignoresExternal' | 'onNotice' | 'onCondition'
> {
  /** Cancels an order that is no longer needed. */
  readonly withdraw: (order: Pick<VenueOrder, 'instrumentId' | 'venueOrderId'>) => void;
}

/** Reports orders and executions that are not, or no longer, the bot's. Entries wait until they are gone, or until the operator resumes. */
export class ExternalWatch implements Pick<
  AccountReaderOptions,
  'onExternal' | 'onExternalOrders' | 'onUnended' | 'onLate'
> {
  readonly #options: ExternalWatchOptions;
  /** Orders of others in the latest list. */
  readonly #listed = new Map<InstrumentId, ReadonlySet<VenueOrderId>>();

  constructor(options: ExternalWatchOptions) {
    this.#options = options;
  }

  readonly onExternal = (trades: readonly VenueTrade[]): void => {
    for (const { instrumentId, venueOrderId, time: at } of trades)
      this.#note(instrumentId, `an execution on ${formatUtc(at)} is of order ${venueOrderId}`);
  };

  /** Reports each order once: the operator's decision about a working order stays valid. */
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

  /** Degrades the bot, unless external orders are ignored: they can change its position. */
  #note(instrumentId: InstrumentId, text: string, name = `foreign ${instrumentId}`): void {
    const { ignoresExternal = false, onNotice, onCondition } = this.#options;
    const line = `${instrumentId}: ${text}, which this bot did not send`;
    if (ignoresExternal) onNotice(line);
    else onCondition(name, line);
  }

  /** These orders should have ended: they are canceled, and entries wait until they are gone. */
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

/** A condition of working orders ends with them. The condition of an execution stays until the operator resumes. */
function orderCondition(instrumentId: InstrumentId): string {
  return `foreign order ${instrumentId}`;
}
