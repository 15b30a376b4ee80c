import type { PageTrades, RunPage } from '../page-data.js';
import { useView, type ViewStore } from './view.js';
import { amountDecimals, amountText, durationText, percentText, timeText } from './words.js';

/** The chosen fill, or the fills of the chosen trade, with their reasons if there is a journal. */
export function Reasons({ run, store }: { readonly run: RunPage; readonly store: ViewStore }) {
  const { fill, trade } = useView(store);
  const { fills, texts } = run;
  const rows =
    fill >= 0
      ? [fill]
      : fills.trade.flatMap((of, row) => (trade >= 0 && of === trade ? [row] : []));
  if (fills.time.length === 0) return null;
  if (rows.length === 0)
    return (
      <p class="note">
        Choose a trade in its table{run.candles.length > 0 && ', or click a fill in the picture,'}{' '}
        to see what made it.
      </p>
    );
  const intents = [...new Set(rows.map((row) => fills.intent[row] ?? 0))];
  const known = run.reasons.filter(({ intent }) => intents.includes(intent));
  return (
    <div class="card" id="why" aria-live="polite">
      <h3>{trade >= 0 ? `Trade ${String(trade + 1)}` : 'Fill'}</h3>
      {trade >= 0 && run.trades !== null && <p>{tradeText(run.trades, trade, run.currency)}</p>}
      <ul class="fills">
        {rows.slice(0, 40).map((row) => (
          <li>
            {timeText(fills.time[row] ?? null)}: {fills.isBuy[row] === 1 ? 'bought' : 'sold'}{' '}
            {fills.quantity[row]} at {fills.price[row]} to{' '}
            {fills.isOpening[row] === 1 ? 'open' : 'close'} (
            {[
              texts[fills.cause[row] ?? 0],
              texts[fills.label[row] ?? 0],
              fills.intent[row] === 0 ? 'no intent known' : `intent ${String(fills.intent[row])}`,
              `order ${fills.order[row] ?? ''}`,
            ]
              .filter(Boolean)
              .join(', ')}
            )
          </li>
        ))}
      </ul>
      {rows.length > 40 && <p class="note">and {rows.length - 40} more fills</p>}
      {known.map(({ intent, lines }) => (
        <>
          <h4>Why intent {intent}</h4>
          <pre>{lines.join('\n')}</pre>
        </>
      ))}
      {known.length === 0 && (
        <p class="note">
          The chain from data to order is on the page of a run that kept a journal (
          <code>backtest CONFIG --journal run.journal --json run.json</code>):{' '}
          <code>report run.json --journal run.journal</code>. For one instant:{' '}
          <code>why run.journal --at {new Date(fills.time[rows[0] ?? 0] ?? 0).toISOString()}</code>.
        </p>
      )}
    </div>
  );
}

/** Describes the profit and costs of a trade: a narrow window does not show its whole row. */
function tradeText(trades: PageTrades, trade: number, currency: string): string {
  const decimals = amountDecimals(trades.profit);
  const of = (column: readonly (string | null)[]): string =>
    amountText(column[trade] ?? null, decimals);
  const borne = [
    ['fees', trades.fees],
    ['funding', trades.funding],
    ['interest', trades.interest],
  ] as const;
  const costs = borne.flatMap(([name, column]) =>
    column[trade] === '0' ? [] : [`${name} ${of(column)}`],
  );
  const shortfall = trades.shortfall[trade] ?? null;
  return [
    `${trades.isOpen[trade] === 1 ? 'Still open, profit so far' : 'Profit'} ${of(trades.profit)} ${currency} (${percentText(trades.return[trade] ?? null)})`,
    `before costs ${of(trades.gross)}`,
    ...costs,
    `held ${durationText(trades.duration[trade] ?? 0)}`,
    `MAE ${of(trades.mae)}`,
    `MFE ${of(trades.mfe)}`,
    ...(shortfall === null ? [] : [`shortfall ${of(trades.shortfall)}`]),
  ].join(', ');
}
