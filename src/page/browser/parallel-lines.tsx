import { useRef, useState } from 'preact/hooks';
import type { SweepPage } from '../page-data.js';
import { Picture } from './picture.js';
import { Section } from './table.js';
import { drawnTrials, rangeOf } from './trial-pictures.js';
import { figureText } from './words.js';

const HEIGHT = 280;
const TOP = 30;
const BOTTOM = HEIGHT - 24;
const MOST_LINES = 4_000;
/** Pixels beside the first and the last axis. */
const MARGIN = 40;
const LETTER_WIDTH = 7;
const NAME_LINE = 14;

interface Scale {
  readonly name: string;
  /** Position of a trial on the axis, from 0 at the bottom to 1 at the top. */
  readonly of: (place: number) => number;
  readonly low: string;
  readonly high: string;
}

type Brush = readonly [low: number, high: number];

/**
 * Parallel coordinates: one line per trial through all its parameters and its objective. A drag along an axis, or the arrow keys on it, keep only the trials
 * of a range.
 */
export function ParallelLines({ sweep }: { readonly sweep: SweepPage }) {
  const [brushes, setBrushes] = useState<ReadonlyMap<number, Brush>>(new Map());
  const drag = useRef<{ readonly axis: number; readonly from: number }>(null);
  const scales = scalesOf(sweep);
  const every = Math.ceil(sweep.trials.length / MOST_LINES);
  const places = drawnTrials(sweep, every);
  const hasLeftOut = places.some((place) => sweep.trials[place]?.isLeftOut);
  const isKept = (place: number): boolean =>
    sweep.trials[place]?.isLeftOut !== true &&
    [...brushes].every(([axis, [low, high]]) => {
      const at = scales[axis]?.of(place) ?? 0;
      return at >= low - 1e-9 && at <= high + 1e-9;
    });
  const y = (share: number): number => BOTTOM - share * (BOTTOM - TOP);
  const shareAt = (event: PointerEvent): number => {
    // The grip of an axis is as high as the axis.
    const { bottom, height } = (event.currentTarget as SVGElement).getBoundingClientRect();
    return Math.min(1, Math.max(0, (bottom - event.clientY) / height));
  };
  const set = (axis: number, brush: Brush | undefined): void => {
    const next = new Map(brushes);
    if (brush === undefined || brush[1] - brush[0] < 0.01) next.delete(axis);
    else next.set(axis, brush);
    setBrushes(next);
  };
  const key = (axis: number, event: KeyboardEvent): void => {
    const [low, high] = brushes.get(axis) ?? [0, 1];
    const changes: Readonly<Record<string, Brush | undefined>> = {
      ArrowUp: [Math.min(low + 0.1, 0.9), high],
      ArrowDown: [low, Math.max(high - 0.1, 0.1)],
      Escape: undefined,
    };
    if (!(event.key in changes)) return;
    event.preventDefault();
    set(axis, changes[event.key]);
  };
  const kept = places.filter(isKept);
  return (
    <Section title="Parameters and objective" id="parallel">
      <div class="row">
        <button disabled={brushes.size === 0} onClick={() => setBrushes(new Map())}>
          Show all
        </button>
        <span class="note" aria-live="polite">
          {kept.length} of {places.length} trials
          {every > 1 ? `, one of ${String(every)} is drawn` : ''}
        </span>
      </div>
      <Picture
        kind="lines"
        role="group"
        label="parallel coordinates; the table of all trials has the same"
        height={(width) => HEIGHT + headOf(nameLines(scales, width))}
        draw={(width) => {
          const x = (axis: number): number => MARGIN + axis * stepOf(scales, width);
          const lines = nameLines(scales, width);
          const head = headOf(lines);
          return (
            <g transform={`translate(0 ${String(head)})`}>
              {[false, true].map((isFront) =>
                places
                  .filter((place) => isKept(place) === isFront)
                  .map((place) => (
                    <polyline
                      class={isFront ? (sweep.best?.index === place ? 'best' : 'kept') : 'left'}
                      points={scales
                        .map(
                          (scale, axis) => `${x(axis).toFixed(1)},${y(scale.of(place)).toFixed(1)}`,
                        )
                        .join(' ')}
                    />
                  )),
              )}
              {scales.map(({ name, low, high }, axis) => {
                const brush = brushes.get(axis);
                return (
                  <g>
                    <line class="axis" x1={x(axis)} x2={x(axis)} y1={TOP} y2={BOTTOM} />
                    <text
                      x={x(axis)}
                      y={12 - head + (lines[axis] ?? 0) * NAME_LINE}
                      text-anchor={head === 0 ? 'middle' : anchorOf(axis, scales.length)}
                    >
                      {name}
                    </text>
                    <text x={x(axis)} y={25} text-anchor="middle">
                      {high}
                    </text>
                    <text x={x(axis)} y={HEIGHT - 8} text-anchor="middle">
                      {low}
                    </text>
                    {brush && (
                      <rect
                        class="brush"
                        x={x(axis) - 8}
                        width={16}
                        y={y(brush[1])}
                        height={y(brush[0]) - y(brush[1])}
                      />
                    )}
                    <rect
                      class="grip"
                      x={x(axis) - 14}
                      width={28}
                      y={TOP}
                      height={BOTTOM - TOP}
                      tabindex={0}
                      role="slider"
                      aria-label={`range of ${name}`}
                      aria-valuetext={
                        brush
                          ? `${(brush[0] * 100).toFixed(0)} to ${(brush[1] * 100).toFixed(0)} percent`
                          : 'all'
                      }
                      aria-valuenow={brush?.[0] ?? 0}
                      onKeyDown={(event) => key(axis, event)}
                      onPointerDown={(event) => {
                        if (event.button !== 0) return;
                        drag.current = { axis, from: shareAt(event) };
                        event.currentTarget.setPointerCapture(event.pointerId);
                        set(axis, undefined);
                      }}
                      onPointerMove={(event) => {
                        if (drag.current?.axis !== axis) return;
                        const at = shareAt(event);
                        set(axis, [
                          Math.min(at, drag.current.from),
                          Math.max(at, drag.current.from),
                        ]);
                      }}
                      onPointerUp={() => {
                        drag.current = null;
                      }}
                    />
                  </g>
                );
              })}
            </g>
          );
        }}
      />
      <p class="note">
        Drag along an axis to keep the trials that pass there. On the keyboard: arrow up raises the
        lower end, arrow down lowers the upper one, Escape frees it.
        {hasLeftOut && ' Trials that break a constraint are gray.'}
      </p>
    </Section>
  );
}

/** Pixels from one axis to the next. */
function stepOf(scales: readonly Scale[], width: number): number {
  return (width - 2 * MARGIN) / Math.max(1, scales.length - 1);
}

/**
 * The line of each name above the axes, from 0 at the top. Names that would cover one another, or leave the picture, have lines of their own, those of the
 * outer axes above the others.
 */
function nameLines(scales: readonly Scale[], width: number): readonly number[] {
  const room = Math.min(stepOf(scales, width), 2 * MARGIN);
  const isNarrow = scales.some(({ name }) => name.length * LETTER_WIDTH > room);
  const last = scales.length - 1;
  return scales.map((_, axis) => (isNarrow ? Math.min(2 * axis, 2 * (last - axis) + 1) : 0));
}

/** Height of the lines of names beyond the first. */
function headOf(lines: readonly number[]): number {
  return Math.max(...lines) * NAME_LINE;
}

/** The side of an axis on which its name stands if names have lines of their own: towards the middle of the picture. */
function anchorOf(axis: number, axes: number): 'start' | 'middle' | 'end' {
  const side = Math.sign(2 * axis - (axes - 1));
  return side === 0 ? 'middle' : side < 0 ? 'start' : 'end';
}

function scalesOf({ axes, trials, objective }: SweepPage): readonly Scale[] {
  const figures = trials.flatMap(({ figure }) => figure ?? []);
  const [low, high] = rangeOf(figures);
  return [
    ...axes.map(({ name, values }, axis): Scale => {
      const numbers = values.filter((value): value is number => typeof value === 'number');
      const [first, last] = [numbers[0] ?? 0, numbers.at(-1) ?? 1];
      const isNumeric = numbers.length === values.length && last !== first;
      return {
        name,
        of: (place) => {
          const value = trials[place]?.parameters[axis];
          if (isNumeric) return (Number(value) - first) / (last - first);
          return values.length < 2 ? 0.5 : values.indexOf(value ?? '') / (values.length - 1);
        },
        low: String(values[0] ?? ''),
        high: String(values.at(-1) ?? ''),
      };
    }),
    {
      name: objective,
      of: (place) => (high === low ? 0.5 : ((trials[place]?.figure ?? low) - low) / (high - low)),
      low: figures.length === 0 ? '' : figureText(low),
      high: figures.length === 0 ? '' : figureText(high),
    },
  ];
}
