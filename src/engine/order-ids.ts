import type { ClientOrderId } from '../domain/index.js';

const RADIX = 36;
/** Number of intents whose ids differ only in the last two digits. */
const PAGE = RADIX * RADIX;

/** Ends of the ids of first orders, by place within a page; created on first use, once for all bots of a process. */
const ENDS = new Array<string | undefined>(PAGE);

/** The client order ids of a bot: a pure function of bot, intent, attempt and leg. */
export class OrderIds {
  readonly #prefix: string;
  #page = 0;
  /** Begin of the ids of all intents of that page. */
  #begin: string;
  #latest: ClientOrderId | undefined;
  #latestIntent = 0;

  /** `botId`: short and unique per bot. */
  constructor(botId: string) {
    this.#prefix = `${botId}-`;
    this.#begin = this.#prefix;
  }

  /** The id of an order. `attempt`: number of earlier proposals of the intent; legs count from 0. */
  of(intentId: number, attempt: number, leg: number): ClientOrderId {
    if (attempt === 0 && leg === 0) return this.first(intentId);
    const end = `${attempt.toString(RADIX)}-${leg.toString(RADIX)}`;
    return `${this.#prefix}${intentId.toString(RADIX)}-${end}` as ClientOrderId;
  }

  /** The id of the first order of an intent; nearly all intents have only that one. It usually joins two texts that exist already. */
  first(intentId: number): ClientOrderId {
    if (intentId === this.#latestIntent && this.#latest !== undefined) return this.#latest;
    const page = Math.floor(intentId / PAGE);
    const place = intentId % PAGE;
    if (page !== this.#page) {
      this.#page = page;
      this.#begin = page === 0 ? this.#prefix : `${this.#prefix}${page.toString(RADIX)}`;
    }
    // The first page has no digits before its own, and so no leading zeros.
    const end =
      page === 0
        ? `${place.toString(RADIX)}-0-0`
        : (ENDS[place] ??= `${place.toString(RADIX).padStart(2, '0')}-0-0`);
    // Not a template literal, which checks of each part whether it is a text.
    this.#latest = (this.#begin + end) as ClientOrderId;
    this.#latestIntent = intentId;
    return this.#latest;
  }

  /** The intent of this {@link first} id, if it is the id that was made last; otherwise undefined. Such an id need not be stored. */
  intentOfLatest(id: ClientOrderId): number | undefined {
    return id === this.#latest ? this.#latestIntent : undefined;
  }
}

/** Whether two ids have the form of {@link OrderIds} and are of one bot. */
export function areOfOneBot(one: string, other: string): boolean {
  const bot = botOf(one);
  return bot !== undefined && bot === botOf(other);
}

function botOf(id: string): string | undefined {
  return /^(.+)-[0-9a-z]+-[0-9a-z]+-[0-9a-z]+$/.exec(id)?.[1];
}
