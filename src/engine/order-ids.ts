import type { ClientOrderId } from '../domain/index.js';

const RADIX = 36;
/** So many intents share all of their number but its last two digits. */
const PAGE = RADIX * RADIX;

/** How ids of first orders end, by place within a page; made as they are met, once for all bots of a process. */
const ENDS = new Array<string | undefined>(PAGE);

/** The client order ids of a bot: a pure function of bot, intent, attempt and leg. */
export class OrderIds {
  readonly #prefix: string;
  #page = 0;
  /** What ids of the intents of that page begin with. */
  #begin = '';
  #latest: ClientOrderId | undefined;
  #latestIntent = 0;

  /** `botId`: short and unique per bot. */
  constructor(botId: string) {
    this.#prefix = `${botId}-`;
  }

  /** Of one order. `attempt`: proposals of the intent before this one; legs count from 0. */
  of(intentId: number, attempt: number, leg: number): ClientOrderId {
    if (attempt === 0 && leg === 0) return this.first(intentId);
    const end = `${attempt.toString(RADIX)}-${leg.toString(RADIX)}`;
    return `${this.#prefix}${intentId.toString(RADIX)}-${end}` as ClientOrderId;
  }

  /** Of the first order of an intent: nearly all orders are the only one. Two parts that are there already, for most. */
  first(intentId: number): ClientOrderId {
    if (intentId !== this.#latestIntent || this.#latest === undefined) {
      // Not a template: of each part in one it is asked whether it is a text.
      this.#latest = (this.#beginOf(intentId) + endOf(intentId)) as ClientOrderId;
      this.#latestIntent = intentId;
    }
    return this.#latest;
  }

  /** The intent of which this is the {@link first} id, where it is the one that was asked for last: such an id need not be kept. */
  intentOfLatest(id: ClientOrderId): number | undefined {
    return id === this.#latest ? this.#latestIntent : undefined;
  }

  #beginOf(intentId: number): string {
    const page = Math.floor(intentId / PAGE);
    if (page === 0) return this.#prefix;
    if (page !== this.#page) {
      this.#page = page;
      this.#begin = `${this.#prefix}${page.toString(RADIX)}`;
    }
    return this.#begin;
  }
}

function endOf(intentId: number): string {
  // The first page has no digits before its own, and so no leading zeros.
  if (intentId < PAGE) return `${intentId.toString(RADIX)}-0-0`;
  const place = intentId % PAGE;
  return (ENDS[place] ??= `${place.toString(RADIX).padStart(2, '0')}-0-0`);
}
