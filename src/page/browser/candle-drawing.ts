import type uPlot from 'uplot';
import type { RunPage } from '../page-data.js';
import type { DrawnBars } from './candle-bars.js';
import type { Colors } from './plot.js';
import { rowFrom } from './unpack.js';

/** Source of the marks over the candles of one instrument. */
export interface Overlay {
  readonly run: RunPage;
  readonly instrument: number;
  readonly colors: Colors;
}

/** Most fills drawn at once. With more fills, only every n-th is drawn. */
const MOST_MARKERS = 1_500;
/** Causes of fills that a stop or the venue made. */
export const STOPS: ReadonlySet<string> = new Set([
  'stop-loss',
  'trailing-stop',
  'liquidation',
  'margin-call',
  'netting',
]);

/** Draws each bar as wide as its duration. Rising bars are hollow and falling bars filled, so that they differ without color. */
export function drawCandles(plot: uPlot, bars: DrawnBars, colors: Colors): void {
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.lineWidth = ratio;
  const x0 = plot.valToPos(0, 'x', true);
  const perMs = (plot.valToPos(1e9, 'x', true) - x0) / 1e9;
  const y0 = plot.valToPos(0, 'y', true);
  const perUnit = plot.valToPos(1, 'y', true) - y0;
  for (const isRising of [true, false]) {
    ctx.strokeStyle = isRising ? colors.good : colors.bad;
    ctx.fillStyle = isRising ? colors.surface : colors.bad;
    ctx.beginPath();
    const bodies: [number, number, number, number][] = [];
    for (let row = 0; row < bars.time.length; row += 1) {
      const [open, close] = [bars.open[row] as number, bars.close[row] as number];
      if (close >= open !== isRising) continue;
      const length = (bars.length[row] as number) * perMs;
      const left = x0 + (bars.time[row] as number) * perMs;
      const middle = Math.round(left + length / 2) + (ratio % 2) / 2;
      const [top, bottom] = [
        y0 + Math.max(open, close) * perUnit,
        y0 + Math.min(open, close) * perUnit,
      ];
      ctx.moveTo(middle, y0 + (bars.high[row] as number) * perUnit);
      ctx.lineTo(middle, top);
      ctx.moveTo(middle, bottom);
      ctx.lineTo(middle, y0 + (bars.low[row] as number) * perUnit);
      const width = Math.max(ratio, length * 0.7);
      bodies.push([middle - width / 2, top, width, Math.max(ratio, bottom - top)]);
    }
    ctx.stroke();
    for (const [x, y, width, height] of bodies) {
      ctx.fillRect(x, y, width, height);
      if (width > 2 * ratio) ctx.strokeRect(x, y, width, height);
    }
  }
  ctx.restore();
}

/** Draws the lines that the strategy recorded. */
export function drawLines(
  plot: uPlot,
  { run, instrument, colors }: Overlay,
  from: number,
  to: number,
): void {
  const { ctx, bbox } = plot;
  const strokes = [colors.accent, colors.other, colors.warn, colors.text];
  const dashes = [[], [6, 4], [2, 3], [8, 3, 2, 3]];
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.lineWidth = 1.5 * devicePixelRatio;
  for (const [index, line] of run.plots.filter((one) => one.instrument === instrument).entries()) {
    ctx.strokeStyle = strokes[index % strokes.length] as string;
    ctx.setLineDash(
      (dashes[index % dashes.length] as number[]).map((length) => length * devicePixelRatio),
    );
    ctx.beginPath();
    const first = Math.max(0, rowFrom(line.time, from) - 1);
    for (let row = first; row < line.time.length; row += 1) {
      const [x, y] = [
        plot.valToPos(line.time[row] as number, 'x', true),
        plot.valToPos(line.value[row] as number, 'y', true),
      ];
      if (row === first) ctx.moveTo(x, y);
      else ctx.lineTo(x, y);
      if ((line.time[row] as number) > to) break;
    }
    ctx.stroke();
  }
  ctx.restore();
}

/** Indexes of the fills of one instrument in a span. */
function fillsIn(
  { fills }: RunPage,
  instrument: number,
  from: number,
  to: number,
): readonly number[] {
  const rows: number[] = [];
  for (
    let row = rowFrom(fills.time, from);
    row < fills.time.length && (fills.time[row] as number) <= to;
    row += 1
  )
    if (fills.instrument[row] === instrument) rows.push(row);
  return rows;
}

export function drawMarkers(
  plot: uPlot,
  overlay: Overlay,
  { from, to, trade }: { readonly from: number; readonly to: number; readonly trade: number },
): void {
  const { run, instrument, colors } = overlay;
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.lineWidth = 1.5 * ratio;
  const rows = fillsIn(run, instrument, from, to);
  const stride = Math.ceil(rows.length / MOST_MARKERS);
  const size = (rows.length > 300 ? 3 : 5) * ratio;
  const x = (time: number): number => plot.valToPos(time, 'x', true);
  const y = (price: number): number => plot.valToPos(price, 'y', true);
  if (trade >= 0) drawTrade(overlay, trade, { ctx, x, y });
  for (const row of rows) {
    if (stride > 1 && row % stride !== 0 && run.fills.trade[row] !== trade) continue;
    drawFill(
      ctx,
      { x: x(run.fills.time[row] as number), y: y(Number(run.fills.price[row])), size },
      overlay,
      row,
    );
  }
  const floor = bbox.top + bbox.height - 6 * ratio;
  ctx.strokeStyle = colors.bad;
  for (const { time, last, instrument: of } of run.refusals) {
    if (of !== instrument || last < from || time > to) continue;
    for (const at of new Set([time, last])) cross(ctx, x(at), floor, 4 * ratio);
  }
  ctx.fillStyle = colors.warn;
  const flows = run.flows.filter(
    ({ time, instrument: of }) => of === instrument && time >= from && time <= to,
  );
  const every = Math.ceil(flows.length / MOST_MARKERS);
  for (const [index, { time }] of flows.entries())
    if (index % every === 0) ctx.fillRect(x(time) - ratio, floor - 8 * ratio, 2 * ratio, 5 * ratio);
  ctx.restore();
}

interface Pen {
  readonly ctx: CanvasRenderingContext2D;
  readonly x: (time: number) => number;
  readonly y: (price: number) => number;
}

/** Draws a line from entry to exit of the chosen trade. */
function drawTrade({ run, instrument, colors }: Overlay, trade: number, { ctx, x, y }: Pen): void {
  const { trades } = run;
  if (trades === null || trades.instrument[trade] !== instrument) return;
  const [entryPrice, exitPrice] = [trades.entryPrice[trade], trades.exitPrice[trade]];
  const [entryTime, exitTime] = [trades.entryTime[trade] as number, trades.exitTime[trade] ?? null];
  if (entryPrice === null || entryPrice === undefined) return;
  ctx.strokeStyle = colors.accent;
  ctx.setLineDash([4 * devicePixelRatio, 4 * devicePixelRatio]);
  ctx.beginPath();
  ctx.moveTo(x(entryTime), y(Number(entryPrice)));
  ctx.lineTo(x(exitTime ?? run.to), y(Number(exitPrice ?? entryPrice)));
  ctx.stroke();
  ctx.setLineDash([]);
}

/** Draws a fill: a buy below its price, pointing up, or a sell above its price, pointing down. A fill by a stop or by the venue has a ring. */
function drawFill(
  ctx: CanvasRenderingContext2D,
  { x, y, size }: { readonly x: number; readonly y: number; readonly size: number },
  { run, colors }: Overlay,
  row: number,
): void {
  const { fills, texts } = run;
  const isBuy = fills.isBuy[row] === 1;
  const sign = isBuy ? 1 : -1;
  ctx.strokeStyle = isBuy ? colors.accent : colors.other;
  ctx.fillStyle = fills.isPart[row] === 1 ? colors.surface : ctx.strokeStyle;
  ctx.beginPath();
  ctx.moveTo(x, y);
  ctx.lineTo(x - size, y + sign * size * 1.8);
  ctx.lineTo(x + size, y + sign * size * 1.8);
  ctx.closePath();
  ctx.fill();
  ctx.stroke();
  if (!STOPS.has(texts[fills.cause[row] ?? 0] ?? '')) return;
  ctx.strokeStyle = colors.bad;
  ctx.beginPath();
  ctx.arc(x, y + sign * size, size * 2, 0, 2 * Math.PI);
  ctx.stroke();
}

function cross(ctx: CanvasRenderingContext2D, x: number, y: number, size: number): void {
  ctx.beginPath();
  ctx.moveTo(x - size, y - size);
  ctx.lineTo(x + size, y + size);
  ctx.moveTo(x + size, y - size);
  ctx.lineTo(x - size, y + size);
  ctx.stroke();
}

/** The fill nearest to a point of the picture, within 20 pixels; undefined if there is none. */
export function nearestFill(
  plot: uPlot,
  run: RunPage,
  {
    from,
    to,
    instrument,
  }: { readonly from: number; readonly to: number; readonly instrument: number },
  x: number,
  y: number,
): number | undefined {
  let best: number | undefined;
  let distance = 20;
  for (const row of fillsIn(run, instrument, from, to)) {
    const [dx, dy] = [
      plot.valToPos(run.fills.time[row] as number, 'x') - x,
      plot.valToPos(Number(run.fills.price[row]), 'y') - y,
    ];
    const far = Math.hypot(dx, dy);
    if (far < distance) {
      best = row;
      distance = far;
    }
  }
  return best;
}
