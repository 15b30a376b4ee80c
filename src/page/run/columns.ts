import type { Result } from '../../report/index.js';
import type { PageFills, PageTrades } from '../page-data.js';

/** Table of repeated texts by index. The first text is empty. */
export class TextTable {
  readonly #places = new Map<string, number>([['', 0]]);

  placeOf(text: string | null): number {
    const known = this.#places.get(text ?? '');
    if (known !== undefined) return known;
    const place = this.#places.size;
    this.#places.set(text ?? '', place);
    return place;
  }

  get all(): readonly string[] {
    return [...this.#places.keys()];
  }
}

type PlaceOf = (instrument: string) => number;

/** Trades as columns: a list of 50,000 objects would repeat each key 50,000 times. */
export function tradeColumns(
  { trades = [], fills }: Pick<Result, 'trades' | 'fills'>,
  placeOf: PlaceOf,
  texts: TextTable,
): PageTrades {
  return {
    instrument: trades.map(({ instrument }) => placeOf(instrument)),
    isLong: trades.map(({ side }) => (side === 'long' ? 1 : 0)),
    isOpen: trades.map(({ open }) => (open ? 1 : 0)),
    entryTime: trades.map(({ entry }) => entry.time),
    entryPrice: trades.map(({ entry }) => entry.price),
    quantity: trades.map(({ entry }) => entry.quantity),
    exitTime: trades.map(({ exit }) => exit?.time ?? null),
    exitPrice: trades.map(({ exit }) => exit?.price ?? null),
    duration: trades.map(({ duration }) => duration),
    gross: trades.map(({ gross }) => gross),
    fees: trades.map(({ fees }) => fees),
    funding: trades.map(({ funding }) => funding),
    interest: trades.map(({ interest }) => interest),
    profit: trades.map(({ profit }) => profit),
    return: trades.map((trade) => trade.return),
    mae: trades.map(({ mae }) => mae),
    mfe: trades.map(({ mfe }) => mfe),
    shortfall: trades.map(({ shortfall }) => shortfall),
    label: trades.map(({ entry }) => texts.placeOf(entry.label)),
    exitCause: trades.map(({ exit }) => texts.placeOf(causesOf(exit?.fills ?? [], fills))),
    legs: trades.map(({ entry, exit }) => entry.fills.length + (exit?.fills.length ?? 0)),
  };
}

/** Causes of all fills that closed parts of a trade, the last first. If a signal sells the rest after a liquidation, both are named. */
function causesOf(places: readonly number[], fills: Result['fills']): string {
  const causes = places.map((place) => fills[place]?.cause ?? '');
  return [...new Set(causes.toReversed())].join(', ');
}

export function fillColumns(
  { fills, trades = [] }: Result,
  placeOf: PlaceOf,
  texts: TextTable,
): PageFills {
  const parts = new Map<string, number>();
  for (const { orderId } of fills) parts.set(orderId, (parts.get(orderId) ?? 0) + 1);
  const tradeOf = new Map<number, number>();
  for (const [place, { entry, exit }] of trades.entries())
    for (const fill of [...entry.fills, ...(exit?.fills ?? [])]) tradeOf.set(fill, place);
  return {
    trade: fills.map((_, place) => tradeOf.get(place) ?? -1),
    label: fills.map(({ label }) => texts.placeOf(label)),
    intent: fills.map(({ intent }) => intent ?? 0),
    instrument: fills.map(({ instrument }) => placeOf(instrument)),
    time: fills.map(({ time }) => time),
    price: fills.map(({ price }) => price),
    quantity: fills.map(({ quantity }) => quantity),
    isBuy: fills.map(({ side }) => (side === 'buy' ? 1 : 0)),
    isOpening: fills.map(({ action }) => (action === 'open' ? 1 : 0)),
    isMaker: fills.map(({ liquidity }) => (liquidity === 'maker' ? 1 : 0)),
    cause: fills.map(({ cause }) => texts.placeOf(cause)),
    order: fills.map(({ orderId }) => orderId),
    isPart: fills.map(({ orderId }) => ((parts.get(orderId) ?? 0) > 1 ? 1 : 0)),
  };
}
