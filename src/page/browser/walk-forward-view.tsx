import { useCallback } from 'preact/hooks';
import type uPlot from 'uplot';
import type { WalkForwardPage } from '../page-data.js';
import { axes, Plot, type Colors } from './plot.js';
import { Header } from './run-view.js';
import { Bands, SignificanceSection } from './significance-view.js';
import { Beside, Pages, Section } from './table.js';
import { dayText, growthText } from './words.js';

export function WalkForwardView({ walk }: { readonly walk: WalkForwardPage }) {
  const make = useCallback((colors: Colors) => curvePlot(walk, colors), [walk]);
  const { title, figures, notes, curve, folds, drift, bands, significance } = walk;
  return (
    <>
      <Header title={title} figures={figures} notes={notes} hashes={[]} extra={[]} />
      <Section title="All tests in sequence" id="curve">
        <Plot label="Growth of 1 through the tests" height={300} make={make} />
        <p class="note">
          Growth of 1, with the costs of closing at the end of each test. Nothing was chosen on
          these days.
        </p>
        <Beside
          caption="what 1 becomes"
          head={['Midnight (UTC)', 'Value']}
          rows={() => curve.map(([time, value]) => [dayText(time), growthText(value)])}
        />
      </Section>
      <Section title="Folds" id="folds">
        <Pages head={folds.head} rows={folds.rows} />
      </Section>
      <Section title="Drift of the parameters" id="drift">
        <Pages head={drift.head} rows={drift.rows} />
        <p class="note">Parameters that jump about from fold to fold were fitted to noise.</p>
      </Section>
      {bands.length > 0 && (
        <Section title="The tests against luck" id="luck">
          <Bands bands={bands} />
        </Section>
      )}
      {significance !== null && <SignificanceSection found={significance} />}
    </>
  );
}

/** Line of equity by midnights, with a mark at the start of each test. */
function curvePlot(
  { curve, starts }: WalkForwardPage,
  colors: Colors,
): { readonly options: Omit<uPlot.Options, 'width' | 'height'>; readonly data: uPlot.AlignedData } {
  const begins = new Set(starts);
  return {
    options: {
      axes: axes(colors),
      series: [
        {},
        {
          label: 'value',
          stroke: colors.accent,
          width: 1.5,
          points: { show: false },
          value: (_, value: number | null) => growthText(value),
        },
        {
          label: 'a test begins',
          stroke: colors.warn,
          paths: () => null,
          points: { show: true, size: 7, fill: colors.warn },
          value: (_, value: number | null) => growthText(value),
        },
      ],
      legend: { live: true },
      cursor: { drag: { x: false, y: false } },
    },
    data: [
      curve.map(([time]) => time),
      curve.map(([, value]) => value),
      curve.map(([time, value]) => (begins.has(time) ? value : null)),
    ],
  };
}
