import { useMemo, useState } from 'preact/hooks';
import type { SweepPage } from '../page-data.js';
import { ParallelLines } from './parallel-lines.js';
import { Picture } from './picture.js';
import { Histogram } from './pictures.js';
import { Header } from './run-view.js';
import { SignificanceSection } from './significance-view.js';
import { Beside, Pager, Section, SortableHead } from './table.js';
import { cellOf, heatCells, rangeOf } from './trial-pictures.js';
import { figureText } from './words.js';

export function SweepView({ sweep }: { readonly sweep: SweepPage }) {
  const best = sweep.best === null ? undefined : sweep.trials[sweep.best.index];
  return (
    <>
      <Header
        title={sweep.title}
        figures={
          best === undefined
            ? []
            : [
                ...sweep.axes.map(({ name }, place) => ({
                  label: `Best ${name}`,
                  value: String(best.parameters[place]),
                })),
                ...Object.entries(best.figures).map(([label, value]) => ({
                  label,
                  value: figureText(value),
                })),
              ]
        }
        notes={sweep.notes}
        hashes={[]}
        extra={[]}
      />
      <HeatMaps sweep={sweep} />
      <ParallelLines sweep={sweep} />
      <Against sweep={sweep} />
      <Section title="Sharpe ratios of all trials" id="sharpes">
        {sweep.sharpe.length === 0 ? (
          <p class="note">No trial has a Sharpe ratio: that needs 30 daily returns.</p>
        ) : (
          <>
            <Histogram
              label="How many trials have which Sharpe ratio"
              bins={sweep.sharpe}
              text={figureText}
              marks={sweep.sharpeMarks}
            />
            <p class="note">
              The best of many trials is high by luck alone. The line marks its expected value if no
              trial has an edge and all are independent.
            </p>
            <Beside
              caption="Sharpe ratios"
              head={['From', 'To', 'Trials']}
              rows={() =>
                sweep.sharpe.map(({ from, to, count }) => [
                  figureText(from),
                  figureText(to),
                  String(count),
                ])
              }
            />
          </>
        )}
      </Section>
      {sweep.significance !== null && <SignificanceSection found={sweep.significance} />}
      <Trials sweep={sweep} />
    </>
  );
}

/**
 * For each pair of parameters: the best figure over all other parameters, or the median. Cells are colored by rank, so that one extreme does not hide the
 * rest.
 */
function HeatMaps({ sweep }: { readonly sweep: SweepPage }) {
  const { axes } = sweep;
  const pairs = axes.flatMap((_, a) =>
    axes.slice(a + 1).map((__, index) => [a, a + 1 + index] as const),
  );
  const [chosen, choose] = useState(0);
  const [kind, setKind] = useState<'best' | 'median'>('best');
  const pair = pairs[chosen];
  if (pair === undefined) return null;
  const [rows, columns] = pair;
  return (
    <Section title="Heat map" id="heat">
      <div class="row" role="group" aria-label="pair of parameters">
        {pairs.map(([a, b], index) => (
          <button aria-pressed={index === chosen} onClick={() => choose(index)}>
            {axes[a]?.name} × {axes[b]?.name}
          </button>
        ))}
        {axes.length > 2 && (
          <button onClick={() => setKind(kind === 'best' ? 'median' : 'best')}>
            shows the {kind} over the others
          </button>
        )}
      </div>
      <Heat sweep={sweep} rows={rows} columns={columns} kind={kind} />
      <p class="note">
        {sweep.objective}: {sweep.isLargestBest ? 'larger' : 'smaller'} is better, and stronger in
        color. A frame marks the best, dots its neighbors.
        {hasLeftOut(sweep) && ' Trials that break a constraint do not count.'}
      </p>
    </Section>
  );
}

const MOST_VALUES = 40;

function Heat({
  sweep,
  rows,
  columns,
  kind,
}: {
  readonly sweep: SweepPage;
  readonly rows: number;
  readonly columns: number;
  readonly kind: 'best' | 'median';
}) {
  const { axes, trials, best } = sweep;
  const [down, across] = [axes[rows], axes[columns]];
  const cells = useMemo(
    () => heatCells(sweep, [rows, columns], kind),
    [sweep, rows, columns, kind],
  );
  if (down === undefined || across === undefined) return null;
  if (down.values.length > MOST_VALUES || across.values.length > MOST_VALUES)
    return (
      <p class="note">
        {down.values.length} × {across.values.length} values are too many for a map: see the lines
        below, and the table of all trials.
      </p>
    );
  const keyOf = (place: number): string =>
    cellOf(trials[place]?.parameters[rows], trials[place]?.parameters[columns]);
  const bestKey = best === null ? '' : keyOf(best.index);
  const near = new Set(best?.neighbors.map(keyOf));
  return (
    <div class="scroll">
      <table class="heat map">
        <caption>
          {down.name} down, {across.name} across
        </caption>
        <thead>
          <tr>
            <th scope="col">
              {down.name} \ {across.name}
            </th>
            {across.values.map((value) => (
              <th scope="col">{String(value)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {down.values.map((value) => (
            <tr>
              <th scope="row">{String(value)}</th>
              {across.values.map((other) => {
                const key = cellOf(value, other);
                const figure = cells.values.get(key);
                const share =
                  figure === undefined
                    ? 0
                    : cells.ranked.indexOf(figure) / Math.max(1, cells.ranked.length - 1);
                return (
                  <td
                    class={key === bestKey ? 'best' : near.has(key) ? 'near' : ''}
                    style={`background: color-mix(in srgb, var(--accent) ${(share * 60).toFixed(0)}%, transparent)`}
                  >
                    {figure === undefined ? '' : figureText(figure)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const HEIGHT = 240;

function Against({ sweep }: { readonly sweep: SweepPage }) {
  return (
    <Section title={`${sweep.objective} against trades and drawdown`} id="against">
      <div class="pictures">
        {['trades', 'maxDrawdown']
          .filter((name) => name !== sweep.objective)
          .map((name) => (
            <Scatter sweep={sweep} name={name} />
          ))}
      </div>
    </Section>
  );
}

function Scatter({ sweep, name }: { readonly sweep: SweepPage; readonly name: string }) {
  const dots = sweep.trials.flatMap(({ figure, figures }, place) => {
    const across = figures[name];
    return figure === null || across === null || across === undefined
      ? []
      : [{ place, across, figure }];
  });
  if (dots.length === 0) return <p class="note">No trial has both figures.</p>;
  const [left, right] = rangeOf(dots.map(({ across }) => across));
  const [bottom, top] = rangeOf(dots.map(({ figure }) => figure));
  const y = (value: number): number =>
    12 + (top === bottom ? 0.5 : (top - value) / (top - bottom)) * (HEIGHT - 50);
  return (
    <div>
      <Picture
        kind="scatter"
        label={`${sweep.objective} against ${name}`}
        most={620}
        height={HEIGHT}
        draw={(width) => {
          const x = (value: number): number =>
            70 + (right === left ? 0.5 : (value - left) / (right - left)) * (width - 80);
          return (
            <>
              <line class="axis" x1={62} x2={width} y1={HEIGHT - 32} y2={HEIGHT - 32} />
              <line class="axis" x1={62} x2={62} y1={6} y2={HEIGHT - 32} />
              <text x={62} y={HEIGHT - 18}>
                {figureText(left)}
              </text>
              <text x={width} y={HEIGHT - 18} text-anchor="end">
                {figureText(right)}
              </text>
              <text x={width / 2} y={HEIGHT - 4} text-anchor="middle">
                {name}
              </text>
              <text x={58} y={16} text-anchor="end">
                {figureText(top)}
              </text>
              <text x={58} y={HEIGHT - 34} text-anchor="end">
                {figureText(bottom)}
              </text>
              {dots.map(({ place, across, figure }) => (
                <circle
                  class={dotClass(sweep, place)}
                  cx={x(across)}
                  cy={y(figure)}
                  r={sweep.best?.index === place ? 6 : 3}
                >
                  <title>{`${sweep.axes.map((axis, index) => `${axis.name} ${String(sweep.trials[place]?.parameters[index])}`).join(', ')}: ${rankedText(figure, sweep.trials[place]?.isLeftOut)}`}</title>
                </circle>
              ))}
            </>
          );
        }}
      />
      <Beside
        caption={`${sweep.objective} against ${name}`}
        head={[...sweep.axes.map((axis) => axis.name), name, sweep.objective]}
        rows={() =>
          dots.map(({ place, across, figure }) => [
            ...(sweep.trials[place]?.parameters ?? []).map(String),
            String(across),
            rankedText(figure, sweep.trials[place]?.isLeftOut, String),
          ])
        }
      />
    </div>
  );
}

function dotClass({ best, trials }: SweepPage, place: number): string {
  if (best?.index === place) return 'bad';
  return trials[place]?.isLeftOut === true ? 'left' : 'good';
}

function hasLeftOut({ trials }: SweepPage): boolean {
  return trials.some(({ isLeftOut }) => isLeftOut);
}

/** The objective of a trial as text, marked if the trial has no rank. */
function rankedText(
  figure: number | null,
  isLeftOut: boolean | undefined,
  text: (value: number) => string = figureText,
): string {
  if (figure === null) return figureText(figure);
  return isLeftOut === true ? `${text(figure)} (breaks a constraint)` : text(figure);
}

const PAGE = 25;

function Trials({ sweep }: { readonly sweep: SweepPage }) {
  const names = ['trades', 'totalReturn', 'sharpe', 'maxDrawdown', 'profitFactor'].filter(
    (name) => name !== sweep.objective,
  );
  const [sort, setSort] = useState({ column: sweep.axes.length, isDown: sweep.isLargestBest });
  const [page, setPage] = useState(0);
  const head = [...sweep.axes.map(({ name }) => name), sweep.objective, ...names];
  const order = useMemo(() => {
    const key = (place: number): string | number | boolean => {
      const trial = sweep.trials[place];
      if (trial === undefined) return '';
      if (sort.column < sweep.axes.length) return trial.parameters[sort.column] ?? '';
      const figure =
        sort.column === sweep.axes.length
          ? trial.isLeftOut
            ? null
            : trial.figure
          : trial.figures[names[sort.column - sweep.axes.length - 1] ?? ''];
      return figure ?? (sort.isDown ? -Infinity : Infinity);
    };
    const sign = sort.isDown ? -1 : 1;
    return sweep.trials
      .map((_, place) => place)
      .sort((a, b) => (key(a) === key(b) ? a - b : key(a) < key(b) ? -sign : sign));
  }, [sweep, sort]);
  return (
    <Section title={`All trials (${String(sweep.trials.length)})`} id="trials">
      <div class="scroll">
        <table class="trades">
          <SortableHead
            names={head}
            sort={sort}
            onSort={(chosen) => {
              setSort(chosen);
              setPage(0);
            }}
          />
          <tbody>
            {order.slice(page * PAGE, (page + 1) * PAGE).map((place) => {
              const trial = sweep.trials[place];
              if (trial === undefined) return null;
              return (
                <tr class={sweep.best?.index === place ? 'chosen' : ''}>
                  {trial.parameters.map((value) => (
                    <td>{String(value)}</td>
                  ))}
                  {trial.error === null ? (
                    [
                      rankedText(trial.figure, trial.isLeftOut),
                      ...names.map((name) => figureText(trial.figures[name])),
                    ].map((text) => <td>{text}</td>)
                  ) : (
                    <td class="bad" colSpan={names.length + 1}>
                      {trial.error}
                    </td>
                  )}
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <Pager page={page} pages={Math.ceil(order.length / PAGE)} onPage={setPage} />
    </Section>
  );
}
