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
import { readHash, ViewStore, writeHash, type View } from './view.js';

/** Number of candles shown around an instant. */
const AROUND = 60;

export function RunView({ run }: { readonly run: RunPage }) {
  const store = useMemo(() => new ViewStore(firstView(run)), [run]);
  const choose = useCallback(
    (trade: number) => {
      const { trades } = run;
      if (trades === null) return;
      store.change(viewOfTrade(run, trades, trade));
      history.replaceState(
        null,
        '',
        writeHash(
          trades.entryTime[trade] ?? run.from,
          run.instruments[trades.instrument[trade] ?? 0] ?? '',
        ),
      );
      document.getElementById('candles')?.scrollIntoView({ block: 'start', behavior: 'instant' });
    },
    [run, store],
  );
  useEffect(() => {
    const open = (): void => {
      const asked = readHash(location.hash);
      if (asked === undefined) return;
      const instrument = Math.max(0, run.instruments.indexOf(asked.instrument));
      store.change(viewAt(run, asked.time, instrument));
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
    addEventListener('hashchange', open);
    addEventListener('keydown', key);
    return () => {
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
          <div>
            <dt>{label}</dt>
            <dd class={tone ?? ''}>{value}</dd>
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

/** What a link to an instant shows: the trade that began then, otherwise the fill of then, and at least the candles around it. */
function viewAt(run: RunPage, time: number, instrument: number): View {
  const { trades, fills } = run;
  const isThere = (
    { instrument: of }: { readonly instrument: readonly number[] },
    at: number,
    row: number,
  ): boolean => at === time && of[row] === instrument;
  const trade = trades?.entryTime.findIndex((at, row) => isThere(trades, at, row)) ?? -1;
  if (trades !== null && trade >= 0) return viewOfTrade(run, trades, trade);
  const fill = fills.time.findIndex((at, row) => isThere(fills, at, row));
  const half = (AROUND / 2) * stepOf(run, instrument);
  return {
    ...{ instrument, fill, trade: fills.trade[fill] ?? -1 },
    ...{ from: time - half, to: time + half },
  };
}
