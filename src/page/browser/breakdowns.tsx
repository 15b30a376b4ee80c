import { useState } from 'preact/hooks';
import type { RunPage } from '../page-data.js';
import { Section } from './table.js';
import { amountDecimals, amountText, minusText, percentText } from './words.js';

const BY: Readonly<Record<string, string>> = {
  instrument: 'Instrument',
  side: 'Side',
  label: 'Label of the entry',
  cause: 'Cause of the exit',
  weekday: 'Weekday (UTC)',
  hour: 'Hour (UTC)',
  month: 'Month (UTC)',
};

const AMOUNTS = [
  ['gross', 'Before costs'],
  ['fees', 'Fees'],
  ['funding', 'Funding'],
  ['interest', 'Interest'],
  ['profit', 'Profit'],
] as const;
/** Left out if no trade paid or received them. */
const RARE: ReadonlySet<string> = new Set(['funding', 'interest']);

/** The first kind with more than one group; otherwise the first kind. */
function firstTelling({ breakdowns }: RunPage, kinds: readonly string[]): string {
  const isTelling = (kind: string): boolean =>
    breakdowns.filter(({ by }) => by === kind).length > 1;
  return kinds.find(isTelling) ?? kinds[0] ?? '';
}

export function Breakdowns({ run }: { readonly run: RunPage }) {
  const kinds = Object.keys(BY).filter((by) => run.breakdowns.some((one) => one.by === by));
  const [by, setBy] = useState(() => firstTelling(run, kinds));
  const rows = run.breakdowns.filter((one) => one.by === by);
  const decimals = amountDecimals(run.trades?.profit ?? []);
  const amounts = AMOUNTS.filter(
    ([kind]) => !RARE.has(kind) || run.breakdowns.some((row) => row[kind] !== '0'),
  );
  const most = Math.max(1e-9, ...rows.map(({ profit }) => Math.abs(Number(profit))));
  return (
    <Section title="Costs and breakdowns" id="breakdowns">
      <dl class="figures">
        {run.costs.map(({ label, value }) => (
          <div>
            <dt>{label}</dt>
            <dd>{minusText(value)}</dd>
          </div>
        ))}
      </dl>
      {run.costNote !== '' && <p class="note">{run.costNote}</p>}
      {kinds.length === 0 ? (
        <p class="note">
          {run.trades === null
            ? 'The result has no list of trades to break down.'
            : 'No trade was closed.'}
        </p>
      ) : (
        <>
          <div class="row" role="group" aria-label="broken down by">
            {kinds.map((kind) => (
              <button aria-pressed={kind === by} onClick={() => setBy(kind)}>
                {BY[kind]}
              </button>
            ))}
          </div>
          <div class="scroll">
            <table>
              <thead>
                <tr>
                  {[BY[by] ?? '', 'Trades', 'Won', ...amounts.map(([, name]) => name), ''].map(
                    (name) => (
                      <th scope="col">{name}</th>
                    ),
                  )}
                </tr>
              </thead>
              <tbody>
                {rows.map((row) => (
                  <tr>
                    <th scope="row">{row.key || 'none'}</th>
                    <td>{row.trades}</td>
                    <td>{percentText(row.wins / row.trades, 0)}</td>
                    {amounts.map(([kind]) => (
                      <td title={row[kind]}>{amountText(row[kind], decimals)}</td>
                    ))}
                    <td class="bar">
                      <span
                        class={Number(row.profit) < 0 ? 'bad' : 'good'}
                        style={`width:${((Math.abs(Number(row.profit)) / most) * 100).toFixed(1)}%`}
                      />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <p class="note">Closed trades; times are of their entries. Amounts in {run.currency}.</p>
        </>
      )}
    </Section>
  );
}
