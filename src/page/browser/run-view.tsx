import { useCallback, useEffect, useMemo } from 'preact/hooks';
import type { PageFigure, PageNote, PageTrades, RunPage } from '../page-data.js';
import { AuditSection } from './audit-view.js';
import { Breakdowns } from './breakdowns.js';
import { Candles } from './candle-chart.js';
import { Equity } from './equity.js';
import { Notes } from './notes.js';
import { Excursions, Months, Returns } from './pictures.js';
import { isOfBrowser } from './plot.js';
import { Section } from './table.js';
import { Trades } from './trades.js';
import { readHash, ViewStore, writeHash, type Link, type View } from './view.js';
import { minusText } from './words.js';

/** Number of candles shown around an instant. */
const AROUND = 60;

/** Characters of a number that a figure has room for on the narrowest screen. */
const LONG_WORD = 12;

export function RunView({ run }: { readonly run: RunPage }) {
  const store = useMemo(() => new ViewStore(firstView(run)), [run]);
  const choose = useCallback(
    (trade: number) => {
      const { trades } = run;
      if (trades === null) return;
      store.change(viewOfTrade(run, trades, trade));
      document.getElementById('candles')?.scrollIntoView({ block: 'start', behavior: 'instant' });
    },
    [run, store],
  );
  useEffect(() => {
    const open = (): void => {
      const asked = readHash(location.hash);
      const instrument = run.instruments.indexOf(asked.instrument);
      if (Number.isNaN(asked.time)) {
        if (instrument >= 0) store.change({ instrument });
        return;
      }
      store.change(viewAt(run, asked, Math.max(0, instrument)));
      document.getElementById('candles')?.scrollIntoView({ block: 'start', behavior: 'instant' });
    };
    const key = (event: KeyboardEvent): void => {
      const isTyping =
        event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
      if (isTyping || isOfBrowser(event) || event.defaultPrevented) return;
      if (event.key === 'n' || event.key === 'p')
        document.dispatchEvent(
          new CustomEvent('trade-step', { detail: event.key === 'n' ? 1 : -1 }),
        );
    };
    open();
    let shown = linkTo(run, store.view);
    const forget = store.listen((view) => {
      const link = linkTo(run, view);
      // A movement of the candles alone changes no link.
      if (link !== shown) history.replaceState(null, '', link);
      shown = link;
    });
    addEventListener('hashchange', open);
    addEventListener('keydown', key);
    return () => {
      forget();
      removeEventListener('hashchange', open);
      removeEventListener('keydown', key);
    };
  }, [run, store]);
  return (
    <>
      <Header
        title={run.title}
        figures={run.figures}
        notes={run.notes}
        hashes={run.hashes}
        extra={run.benchmark?.figures ?? []}
      />
      <Equity run={run} store={store} />
      <Candles run={run} store={store} />
      <Trades run={run} store={store} choose={choose} />
      <Months run={run} />
      <Returns run={run} />
      <div class="pair">
        <Excursions run={run} store={store} />
        <Breakdowns run={run} />
      </div>
      {run.audit !== undefined && <AuditSection audit={run.audit} />}
      <Section title="Parameters and configuration" id="config">
        {run.parameters.length === 0 ? (
          <p class="note">The strategy has no parameters.</p>
        ) : (
          <dl class="figures">
            {run.parameters.map(({ label, value }) => (
              <div>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        )}
        {run.config !== '' && (
          <details class="beside">
            <summary>Configuration of the run</summary>
            <pre>{run.config}</pre>
          </details>
        )}
      </Section>
    </>
  );
}

export function Header({
  title,
  figures,
  notes,
  hashes,
  extra,
}: {
  readonly title: readonly string[];
  readonly figures: readonly PageFigure[];
  readonly notes: readonly PageNote[];
  readonly hashes: readonly PageFigure[];
  readonly extra: readonly PageFigure[];
}) {
  const [name, ...details] = title;
  return (
    <header>
      <h1>{name}</h1>
      {details.map((line) => (
        <p class="details">{line}</p>
      ))}
      <dl class="figures" id="figures">
        {[...figures, ...extra].map(({ label, value, tone }) => (
          <div class={isLong(value) ? 'wide' : ''}>
            <dt>{label}</dt>
            <dd class={tone ?? ''}>{minusText(value)}</dd>
          </div>
        ))}
      </dl>
      <Notes notes={notes} />
      {hashes.length > 0 && (
        <details class="beside">
          <summary>
            Hashes:{' '}
            {hashes
              .slice(0, 1)
              .map(({ value }) => value.slice(0, 12))
              .join('')}
          </summary>
          <dl class="hashes">
            {hashes.map(({ label, value }) => (
              <div>
                <dt>{label}</dt>
                <dd>
                  <code>{value}</code>
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </header>
  );
}

/** Whether a figure has a number that would be broken in a place of the usual width. */
function isLong(value: string): boolean {
  return value.split(' ').some((word) => word.length > LONG_WORD);
}

function stepOf(run: RunPage, instrument: number): number {
  return run.candles.find((candles) => candles.instrument === instrument)?.stepMs ?? 3_600_000;
}

function firstView(run: RunPage): View {
  return {
    from: run.from,
    to: run.to,
    // Instrument of the first trade.
    instrument: run.trades?.instrument[0] ?? run.candles[0]?.instrument ?? 0,
    trade: -1,
    fill: -1,
  };
}

/** A chosen trade, with the candles around it. */
function viewOfTrade(run: RunPage, trades: PageTrades, trade: number): View {
  const instrument = trades.instrument[trade] ?? 0;
  const from = trades.entryTime[trade] ?? run.from;
  const to = from + (trades.duration[trade] ?? 0);
  const room = Math.max((to - from) * 0.25, (AROUND / 2) * stepOf(run, instrument));
  return { trade, fill: -1, instrument, from: from - room, to: to + room };
}

/** The link to what is chosen. If another instrument than that of the chosen trade is shown, the link names the instrument alone. */
function linkTo(
  { trades, fills, instruments }: RunPage,
  { trade, fill, instrument }: View,
): string {
  const isFill = fill >= 0;
  const of = isFill ? fills.instrument[fill] : trades?.instrument[trade];
  const time = isFill ? fills.time[fill] : trades?.entryTime[trade];
  const name = instruments[instrument] ?? '';
  if (of !== instrument || time === undefined)
    return writeHash({ time: Number.NaN, instrument: name, trade: -1, fill: -1 });
  return writeHash({ time, instrument: name, trade: isFill ? -1 : trade, fill });
}

/** What a link to an instant shows: the trade or fill that it names, otherwise the trade that began then or the fill of then, and at least the candles around it. */
function viewAt(run: RunPage, { time, ...named }: Link, instrument: number): View {
  const { trades, fills } = run;
  const trade = placeAt(trades?.entryTime ?? [], trades?.instrument ?? [], {
    ...{ time, instrument, named: named.trade },
  });
  if (trades !== null && trade >= 0 && named.fill < 0) return viewOfTrade(run, trades, trade);
  const fill = placeAt(fills.time, fills.instrument, { time, instrument, named: named.fill });
  const half = (AROUND / 2) * stepOf(run, instrument);
  return {
    ...{ instrument, fill, trade: fills.trade[fill] ?? -1 },
    ...{ from: time - half, to: time + half },
  };
}

/** Place of the row of an instant and an instrument: the named one if it is such a row, otherwise the first; -1 without one. */
function placeAt(
  times: readonly number[],
  instruments: readonly number[],
  asked: { readonly time: number; readonly instrument: number; readonly named: number },
): number {
  const isThere = (row: number): boolean =>
    times[row] === asked.time && instruments[row] === asked.instrument;
  return isThere(asked.named) ? asked.named : times.findIndex((_, row) => isThere(row));
}
