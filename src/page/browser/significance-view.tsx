import type { PageBand, PageSignificance } from '../page-data.js';
import { Notes } from './notes.js';
import { Histogram } from './pictures.js';
import { Beside, Section } from './table.js';
import { figureText, percentText } from './words.js';

/** What a judgment of the search found out. */
export function SignificanceSection({ found }: { readonly found: PageSignificance }) {
  const { notes, bands, logits } = found;
  const splits = logits.reduce((sum, { count }) => sum + count, 0);
  return (
    <Section title="Is it luck?" id="significance">
      <Notes notes={notes} />
      <Bands bands={bands} />
      {logits.length > 0 && (
        <>
          <h3>The best of one half of the days, in the other</h3>
          <Histogram label="Logits of its rank in the other half" bins={logits} text={figureText} />
          <p class="note">
            Logits of the rank that the best of one half has in the other: up to 0 it is no better
            than the middle there. Their share is the probability of backtest overfitting (PBO).
          </p>
          <Beside
            caption="logits"
            head={['Above', 'Up to', 'Splits', 'Share']}
            rows={() =>
              logits.map(({ from, to, count }) => [
                figureText(from),
                figureText(to),
                String(count),
                percentText(count / splits),
              ])
            }
          />
        </>
      )}
    </Section>
  );
}

const ROW = 34;
const LEFT = 4;
const WIDTH = 592;
/** From here on a figure is said to be significant. */
const ENOUGH = 0.95;

/** Probabilities from 0 to 1, each as far as it is known. */
export function Bands({ bands }: { readonly bands: readonly PageBand[] }) {
  if (bands.length === 0) return null;
  const x = (value: number): number => LEFT + value * WIDTH;
  const height = bands.length * ROW;
  return (
    <>
      <h3>Probability that it is better than luck</h3>
      <svg
        class="histogram"
        viewBox={`0 0 600 ${String(height + 24)}`}
        role="img"
        aria-label="Probabilities that the Sharpe ratio is truly above what it is held against"
      >
        {bands.map(({ label, from, to }, place) => (
          <g>
            <text x={LEFT} y={place * ROW + 12}>
              {`${label}: ${from === to ? percentText(from) : `${percentText(from)} to ${percentText(to)}`}`}
            </text>
            <rect
              class={from >= ENOUGH ? 'good' : 'bad'}
              x={x(from)}
              y={place * ROW + 17}
              width={Math.max(3, x(to) - x(from))}
              height={10}
            />
          </g>
        ))}
        <line x1={x(ENOUGH)} x2={x(ENOUGH)} y1={0} y2={height} />
        <line class="axis" x1={x(0)} x2={x(1)} y1={height} y2={height} />
        <text x={x(0)} y={height + 16}>
          0 %
        </text>
        <text x={x(ENOUGH)} y={height + 16} text-anchor="end">
          95 %
        </text>
      </svg>
      <Beside
        caption="probabilities"
        head={['Figure', 'From', 'To']}
        rows={() => bands.map(({ label, from, to }) => [label, percentText(from), percentText(to)])}
      />
    </>
  );
}
