import type { PageBand, PageSignificance } from '../page-data.js';
import { Notes } from './notes.js';
import { Picture } from './picture.js';
import { Histogram } from './pictures.js';
import { Beside, Section } from './table.js';
import { figureText, percentText } from './words.js';

/** Section about a significance judgment of the search. */
export function SignificanceSection({ found }: { readonly found: PageSignificance }) {
  const { notes, bands, logits } = found;
  const splits = logits.reduce((sum, { count }) => sum + count, 0);
  return (
    <Section title="Is it luck?" id="significance">
      <Notes notes={notes} />
      <Bands bands={bands} />
      {logits.length > 0 && (
        <>
          <h3>The best trial of one half of the days, in the other half</h3>
          <Histogram label="Logits of its rank in the other half" bins={logits} text={figureText} />
          <p class="note">
            Logits of the rank of the best trial of one half in the other half. Up to 0 it is not
            above the median there. The share of these is the probability of backtest overfitting
            (PBO).
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

/** Height of a row: a line of text, the bar below it, and the gap to the next row. */
const ROW = 34;
const LINE = 15;
/** Below this width a label and its value need two lines. */
const ONE_LINE_WIDTH = 480;
/** A figure counts as significant from here on. */
const ENOUGH = 0.95;

/** Probabilities from 0 to 1, each drawn over its known range. */
export function Bands({ bands }: { readonly bands: readonly PageBand[] }) {
  if (bands.length === 0) return null;
  const rowOf = (width: number): number => (width < ONE_LINE_WIDTH ? ROW + LINE : ROW);
  const draw = (width: number) => {
    const row = rowOf(width);
    const height = bands.length * row;
    const x = (value: number): number => 4 + value * (width - 8);
    return (
      <>
        {bands.map(({ label, from, to }, place) => (
          <g>
            {(row > ROW
              ? [`${label}:`, rangeText(from, to)]
              : [`${label}: ${rangeText(from, to)}`]
            ).map((words, line) => (
              <text x={x(0)} y={place * row + 12 + line * LINE}>
                {words}
              </text>
            ))}
            <rect
              class={from >= ENOUGH ? 'good' : 'bad'}
              x={x(from)}
              y={(place + 1) * row - 17}
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
      </>
    );
  };
  return (
    <>
      <h3>Probability that it is better than luck</h3>
      <Picture
        kind="histogram"
        label="Probabilities that the true Sharpe ratio is above its benchmark"
        height={(width) => bands.length * rowOf(width) + 24}
        draw={draw}
      />
      <Beside
        caption="probabilities"
        head={['Figure', 'From', 'To']}
        rows={() => bands.map(({ label, from, to }) => [label, percentText(from), percentText(to)])}
      />
    </>
  );
}

function rangeText(from: number, to: number): string {
  const [low, high] = [percentText(from), percentText(to)];
  return low === high ? low : `${low} to ${high}`;
}
