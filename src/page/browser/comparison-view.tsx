import { useCallback } from 'preact/hooks';
import uPlot from 'uplot';
import type { ComparedRun, ComparisonPage } from '../page-data.js';
import { Legend } from './equity.js';
import { axes, Plot, type Colors } from './plot.js';
import { Beside, CellOf, Pages, Section, type Cell } from './table.js';
import {
  amountDecimals,
  amountText,
  differenceText,
  minusText,
  moneyText,
  timeText,
} from './words.js';

const COLORS = ['accent', 'other', 'good', 'warn', 'bad', 'text'] as const;
const DASHES = [[], [6, 4], [2, 3], [8, 3, 2, 3], [12, 4], [1, 4]];

/** Runs side by side. Differences are from the first run. */
export function ComparisonView({ page }: { readonly page: ComparisonPage }) {
  const [first] = page.runs;
  return (
    <>
      <header>
        <h1>{page.runs.map(({ name }) => name).join(' against ')}</h1>
        {page.runs.map(({ name, title }) => (
          <p class="details">
            <b>{name}</b>: {title.join('; ')}
          </p>
        ))}
      </header>
      <Section title="Figures" id="figures">
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <th scope="col" />
                {page.runs.map(({ name }, run) => (
                  <>
                    <th scope="col">{name}</th>
                    {run > 0 && <th scope="col">difference</th>}
                  </>
                ))}
              </tr>
            </thead>
            <tbody>
              {page.rows.map(({ label, kind, values, differences }) => (
                <tr>
                  <th scope="row">{label}</th>
                  {values.map((value, run) => (
                    <>
                      <td>{minusText(value)}</td>
                      {run > 0 && <CellOf cell={differenceOf(differences[run] ?? '', kind)} />}
                    </>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <p class="note">
          Differences are from {first?.name}, rounded for reading: the pointer shows them exact. pp:
          percentage points.
        </p>
      </Section>
      <Section title="First difference" id="first">
        {page.firstDifferences.map((line) => (
          <p>{line}</p>
        ))}
      </Section>
      <Section title="Equity" id="equity">
        {[...new Set(page.runs.map(({ currency }) => currency))].map((currency) => (
          <EquityIn currency={currency} page={page} />
        ))}
        {page.runs.map(({ name, curve, of }) => (
          <Beside
            caption={`equity of ${name}`}
            head={['Time (UTC)', 'Equity']}
            of={of}
            rows={() => curve.map(([time, equity]) => [timeText(time), equity])}
          />
        ))}
      </Section>
      <OnlyInOne page={page} />
      <Section title="Inputs" id="inputs">
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <th scope="col" />
                {page.runs.map(({ name }) => (
                  <th scope="col">{name}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {page.inputs.map(({ label, values }) => (
                <tr class={values.some((value) => value !== values[0]) ? 'chosen' : ''}>
                  <th scope="row">{label}</th>
                  {values.map((value) => (
                    <td>{value}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </Section>
    </>
  );
}

/** Equity of the runs in one currency. Amounts of different currencies have no axis in common. */
function EquityIn({
  page,
  currency,
}: {
  readonly page: ComparisonPage;
  readonly currency: string;
}) {
  const drawn = page.runs.flatMap((run, place) =>
    run.currency === currency ? [{ ...run, place }] : [],
  );
  const make = useCallback((colors: Colors) => curves(drawn, colors), [page, currency]);
  return (
    <>
      <Legend
        items={drawn.map(
          ({ name, place }) =>
            [COLORS[place % COLORS.length] as string, `${name} (${currency})`] as const,
        )}
      />
      <Plot label={`Equity of the runs in ${currency} over each other`} height={320} make={make} />
    </>
  );
}

/** Trades that only one of the runs has. */
function OnlyInOne({ page }: { readonly page: ComparisonPage }) {
  const { onlyIn, runs } = page;
  if (onlyIn === null)
    return (
      <Section title="Trades only in one" id="only">
        <p class="note">One of the results lists no trades, so they cannot be compared.</p>
      </Section>
    );
  const decimals = amountDecimals(onlyIn.map(({ profit }) => profit));
  const where = runs.length > 2 ? 'another' : 'both';
  return (
    <Section title={`Trades only in one (${String(onlyIn.length)})`} id="only">
      {onlyIn.length === 0 ? (
        <p class="note">Every trade begins and ends at the same instants in {where}.</p>
      ) : (
        <Pages
          head={['In', 'Instrument', 'Side', 'Entry (UTC)', 'Exit', 'Quantity', 'Profit']}
          rows={onlyIn.map(({ run, instrument, side, entryTime, exitTime, quantity, profit }) => [
            runs[run]?.name ?? '',
            instrument,
            side,
            timeText(entryTime),
            exitTime === null ? 'open' : timeText(exitTime),
            quantity,
            { text: amountText(profit, decimals), exact: profit },
          ])}
        />
      )}
    </Section>
  );
}

function differenceOf(exact: string, kind: ComparisonPage['rows'][number]['kind']): Cell {
  return exact === '' || Number(exact) === 0 ? exact : { text: differenceText(exact, kind), exact };
}

function curves(
  runs: readonly (ComparedRun & { readonly place: number })[],
  colors: Colors,
): { readonly options: Omit<uPlot.Options, 'width' | 'height'>; readonly data: uPlot.AlignedData } {
  const tables = runs.map(({ curve }): uPlot.AlignedData => [
    curve.map(([time]) => time),
    curve.map(([, equity]) => Number(equity)),
  ]);
  return {
    options: {
      axes: axes(colors),
      series: [
        {},
        ...runs.map(({ name, decimals, place }): uPlot.Series => ({
          label: name,
          stroke: colors[COLORS[place % COLORS.length] as 'accent'],
          dash: DASHES[place % DASHES.length] as number[],
          width: 2,
          value: (_, amount: number | null) => moneyText(amount, decimals),
          spanGaps: true,
          points: { show: false },
        })),
      ],
      legend: { live: true },
      cursor: { drag: { x: false, y: false } },
    },
    data: tables.length === 1 ? (tables[0] as uPlot.AlignedData) : uPlot.join(tables),
  };
}
