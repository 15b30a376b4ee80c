import { useEffect, useState } from 'preact/hooks';

/** State of the page: span and instrument of the candle chart, and the chosen trade and fill. */
export interface View {
  readonly from: number;
  readonly to: number;
  readonly instrument: number;
  readonly trade: number;
  readonly fill: number;
}

type Listener = (view: View) => void;

/** One store per page. Components that show a part of the view listen to it. */
export class ViewStore {
  #view: View;
  readonly #listeners = new Set<Listener>();

  constructor(view: View) {
    this.#view = view;
  }

  get view(): View {
    return this.#view;
  }

  change(part: Partial<View>): void {
    this.#view = { ...this.#view, ...part };
    for (const listener of this.#listeners) listener(this.#view);
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }
}

export function useView(store: ViewStore): View {
  const [view, setView] = useState(store.view);
  useEffect(() => store.listen(setView), [store]);
  return view;
}

/** What a link names: an instant, an instrument, and a trade or a fill of that instant. */
export interface Link {
  /** NaN if the link names no instant. */
  readonly time: number;
  /** '' if the link names none. */
  readonly instrument: string;
  /** Place in the list of trades; -1 if the link names none. */
  readonly trade: number;
  /** Place in the list of fills; -1 if the link names none. */
  readonly fill: number;
}

/** Reads a link such as #t=2025-06-01T12:00:00Z&i=spot:BTCUSDT&trade=12. Trades and fills count from 1, as in the table. */
export function readHash(hash: string): Link {
  const words = new URLSearchParams(hash.replace(/^#/, ''));
  const placeOf = (name: string): number => Number(words.get(name) ?? 0) - 1;
  return {
    time: Date.parse(words.get('t') ?? ''),
    instrument: words.get('i') ?? '',
    trade: placeOf('trade'),
    fill: placeOf('fill'),
  };
}

/** The link that {@link readHash} reads. */
export function writeHash({ time, instrument, trade, fill }: Link): string {
  const words = [
    ...(Number.isNaN(time) ? [] : [`t=${new Date(time).toISOString().replace('.000Z', 'Z')}`]),
    `i=${instrument}`,
    ...(trade < 0 ? [] : [`trade=${String(trade + 1)}`]),
    ...(fill < 0 ? [] : [`fill=${String(fill + 1)}`]),
  ];
  return `#${words.join('&')}`;
}
