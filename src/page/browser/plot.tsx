import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { axisLabels } from './axis-labels.js';
import { timeTicks } from './time-ticks.js';
import { timeText } from './words.js';

/** A plot drawn by uPlot, as wide as its container. It is drawn anew when the colors change. */
interface PlotProps {
  readonly label: string;
  readonly height: number;
  /** Makes options and data for the current colors. */
  readonly make: (
    colors: Colors,
    width: number,
  ) => {
    readonly options: Omit<uPlot.Options, 'width' | 'height'>;
    readonly data: uPlot.AlignedData;
  };
  readonly onReady?: (plot: uPlot) => () => void;
  readonly onKey?: (key: string) => boolean;
}

export interface Colors {
  readonly text: string;
  readonly grid: string;
  readonly accent: string;
  readonly other: string;
  readonly good: string;
  readonly bad: string;
  readonly warn: string;
  readonly shade: string;
  readonly surface: string;
}

function readColors(): Colors {
  const style = getComputedStyle(document.documentElement);
  const of = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    ...{ text: of('text-soft'), grid: of('grid'), accent: of('accent'), other: of('other') },
    ...{
      good: of('good'),
      bad: of('bad'),
      warn: of('warn'),
      shade: of('shade'),
      surface: of('surface'),
    },
  };
}

const UTC = (stamp: number): Date => uPlot.tzDate(new Date(stamp), 'Etc/UTC');

/** Time in the legend, written as in the tables. */
const TIME: uPlot.Series = {
  label: 'Time (UTC)',
  value: (_, time: number | null) => (time === null ? '--' : timeText(time)),
};

const FONT = '12px system-ui, sans-serif';
/** Least pixels beside a plot for its labels, and the gap between a label and the plot. */
export const LEAST_WIDTH = 64;
const BESIDE_LABEL = 17;
/** Pixels right of a plot for one half of the date of its last tick. */
const HALF_DATE = 40;

/** Least pixels between two times: a year with its month needs more than uPlot's 50. */
const LEAST_TIME_SPACE = 64;

/** Width of the widest labels. Plots that stand above one another share it, so that their time axes align. */
export interface LabelWidth {
  width: number;
}

export function axes(
  colors: Colors,
  kind: 'number' | 'percent' = 'number',
  beside: LabelWidth = { width: LEAST_WIDTH },
): [x: uPlot.Axis, y: uPlot.Axis] {
  const common = {
    stroke: colors.text,
    grid: { stroke: colors.grid, width: 1 },
    ticks: { stroke: colors.grid },
    font: FONT,
  };
  return [
    {
      ...common,
      space: LEAST_TIME_SPACE,
      values: (_: uPlot, ticks: number[]) => timeTicks(ticks),
    },
    {
      ...common,
      size: ({ ctx }: uPlot, labels: string[] | null) => {
        beside.width = Math.max(beside.width, widthOf(labels ?? [], ctx));
        return beside.width;
      },
      values: (_: uPlot, ticks: (number | null)[]) => axisLabels(ticks, kind),
    },
  ];
}

function widthOf(labels: readonly string[], ctx: CanvasRenderingContext2D): number {
  ctx.save();
  ctx.font = FONT;
  const widths = labels.map((label) => Math.ceil(ctx.measureText(label).width) + BESIDE_LABEL);
  ctx.restore();
  return Math.max(LEAST_WIDTH, ...widths);
}

/** Whether a key belongs to the browser or the system, such as Ctrl and plus to enlarge the page. */
export function isOfBrowser({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return ctrlKey || metaKey || altKey;
}

export function Plot({ label, height, make, onReady, onKey }: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    let plot: uPlot | undefined;
    let release: (() => void) | undefined;
    const draw = (): void => {
      release?.();
      plot?.destroy();
      const width = Math.max(200, element.clientWidth);
      const { options, data } = make(readColors(), width);
      const padding: uPlot.Padding = [null, HALF_DATE, null, null];
      const series = [TIME, ...options.series.slice(1)];
      plot = new uPlot(
        { ms: 1, tzDate: UTC, padding, ...options, series, width, height },
        data,
        element,
      );
      release = onReady?.(plot);
    };
    draw();
    let width = element.clientWidth;
    const resize = new ResizeObserver(() => {
      if (element.clientWidth === width || element.clientWidth === 0) return;
      width = element.clientWidth;
      plot?.setSize({ width, height });
    });
    resize.observe(element);
    document.addEventListener('colors', draw);
    return () => {
      resize.disconnect();
      document.removeEventListener('colors', draw);
      release?.();
      plot?.destroy();
    };
  }, [make, height]);
  const keyDown = (event: KeyboardEvent): void => {
    if (!isOfBrowser(event) && onKey?.(event.key) === true) event.preventDefault();
  };
  return (
    <div
      class="plot"
      ref={place}
      role="img"
      aria-label={label}
      tabIndex={onKey ? 0 : -1}
      onKeyDown={keyDown}
    />
  );
}
