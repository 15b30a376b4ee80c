import { useCallback, useEffect, useMemo } from 'preact/hooks';
import type { PageFigure, PageNote, RunPage } from '../page-data.js';
import { AuditSection } from './audit-view.js';
import { Breakdowns } from './breakdowns.js';
import { Candles } from './candle-chart.js';
import { Equity } from './equity.js';
import { Notes } from './notes.js';
import { Excursions, Months, Returns } from './pictures.js';
import { Section } from './table.js';
import { Trades } from './trades.js';
import { readHash, ViewStore, writeHash } from './view.js';

/** Number of candles shown around an instant. */
const AROUND = 60;

export function RunView({ run }: { readonly run: RunPage }) {
  const store = useMemo(() => new ViewStore(firstView(run)), [run]);
  const choose = useCallback(
    (trade: number) => {
      const { trades } = run;
      if (trades === null) return;
      const from = trades.entryTime[trade] ?? run.from;
      const to = from + (trades.duration[trade] ?? 0);
      const room = Math.max(
        (to - from) * 0.25,
        AROUND * stepOf(run, trades.instrument[trade] ?? 0) * 0.5,
      );
      store.change({
        trade,
        fill: -1,
        instrument: trades.instrument[trade] ?? 0,
        from: from - room,
        to: to + room,
      });
      history.replaceState(
        null,
        '',
        writeHash(from, run.instruments[trades.instrument[trade] ?? 0] ?? ''),
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
      const half = (AROUND / 2) * stepOf(run, instrument);
      store.change({
        from: asked.time - half,
        to: asked.time + half,
        instrument,
        ...tradeAt(run, asked.time, instrument),
      });
      document.getElementById('candles')?.scrollIntoView({ block: 'start', behavior: 'instant' });
    };
    const key = (event: KeyboardEvent): void => {
      const isTyping =
        event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented)
        return;
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

function firstView(run: RunPage): {
  readonly from: number;
  readonly to: number;
  readonly instrument: number;
  readonly trade: number;
  readonly fill: number;
} {
  return {
    from: run.from,
    to: run.to,
    // Instrument of the first trade.
    instrument: run.trades?.instrument[0] ?? run.candles[0]?.instrument ?? 0,
    trade: -1,
    fill: -1,
  };
}

/** The fill at exactly this instant, and its trade; -1 if there is none. */
function tradeAt(
  { fills }: RunPage,
  time: number,
  instrument: number,
): { readonly trade: number; readonly fill: number } {
  const fill = fills.time.findIndex(
    (at, row) => at === time && fills.instrument[row] === instrument,
  );
  return { fill, trade: fill < 0 ? -1 : (fills.trade[fill] ?? -1) };
}
