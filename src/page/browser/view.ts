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

/** Reads the instant of a link such as #t=2025-06-01T12:00:00Z&i=spot:BTCUSDT. Undefined without a valid time. */
export function readHash(
  hash: string,
): { readonly time: number; readonly instrument: string } | undefined {
  const words = new URLSearchParams(hash.replace(/^#/, ''));
  const time = Date.parse(words.get('t') ?? '');
  return Number.isNaN(time) ? undefined : { time, instrument: words.get('i') ?? '' };
}

export function writeHash(time: number, instrument: string): string {
  return `#t=${new Date(time).toISOString().replace('.000Z', 'Z')}&i=${instrument}`;
}
