import { useCallback, useMemo, useRef } from 'preact/hooks';
import type uPlot from 'uplot';
import type { RunPage } from '../page-data.js';
import { CandleBars, MOST_BARS, type DrawnBars } from './candle-bars.js';
import {
  drawCandles,
  drawLines,
  drawMarkers,
  nearestFill,
  STOPS,
  type Overlay,
} from './candle-drawing.js';
import { fillSpan, Legend } from './equity.js';
import { axes, Plot, type Colors } from './plot.js';
import { Reasons } from './reasons.js';
import { Beside, Section } from './table.js';
import { rowFrom } from './unpack.js';
import { useView, type View, type ViewStore } from './view.js';
import { lengthText, plainText, timeText } from './words.js';

/** Chart of candles with fills and other marks. It moves by drag, wheel and keys, and follows the chosen trade. */
export function Candles({ run, store }: { readonly run: RunPage; readonly store: ViewStore }) {
  const view = useView(store);
  const plot = useRef<uPlot>(null);
  const all = useMemo(() => run.candles.map((candles) => new CandleBars(candles)), [run]);
  const bars = all.find(({ candles }) => candles.instrument === view.instrument) ?? all[0];
  const make = useCallback(
    (colors: Colors, width: number) => candlePlot({ run, bars, store, colors, width }),
    [run, bars, store],
  );
  const ready = useCallback(
    (made: uPlot) => {
      plot.current = made;
      const stop = store.listen((next) => show(made, next));
      const free = listenTo(made, store, run);
      show(made, store.view);
      return () => {
        stop();
        free();
      };
    },
    [store, run],
  );
  if (bars === undefined)
    return (
      <Section title="Candles" id="candles">
        <p class="note">{run.noCandles || 'There are no candles on this page.'}</p>
        <Reasons run={run} store={store} />
      </Section>
    );
  const drawn = bars.between(view.from, view.to, mostFor(plot.current));
  return (
    <Section title="Candles" id="candles">
      <div class="row">
        {run.candles.length > 1 && (
          <label>
            Instrument{' '}
            <select
              value={view.instrument}
              onChange={(event) => store.change({ instrument: Number(event.currentTarget.value) })}
            >
              {run.candles.map(({ instrument }) => (
                <option value={instrument}>{run.instruments[instrument]}</option>
              ))}
            </select>
          </label>
        )}
        <span class="buttons">
          <button onClick={() => move(store, run, -0.5)} aria-label="earlier">
            ◀
          </button>
          <button onClick={() => zoom(store, run, 0.5)} aria-label="closer">
            +
          </button>
          <button onClick={() => zoom(store, run, 2)} aria-label="farther">
            −
          </button>
          <button onClick={() => move(store, run, 0.5)} aria-label="later">
            ▶
          </button>
          <button onClick={() => store.change({ from: run.from, to: run.to })}>All</button>
        </span>
        <span class="where" id="candle-span">
          {timeText(Math.round(view.from / 60_000) * 60_000)} to{' '}
          {timeText(Math.round(view.to / 60_000) * 60_000)}
        </span>
      </div>
      <p class="note" id="bar-length">
        {sayLengths(drawn, bars, view)}
      </p>
      <Legend items={legendOf(run, bars.candles.instrument)} />
      <Plot
        label={`Candles of ${run.instruments[bars.candles.instrument] ?? ''}; arrow keys move, plus and minus zoom, n and p go from trade to trade`}
        height={420}
        make={make}
        onReady={ready}
        onKey={(key) => onKey(key, store, run)}
      />
      <Beside
        caption="candles shown"
        head={['Opens (UTC)', 'Length', 'Open', 'High', 'Low', 'Close']}
        rows={() =>
          drawn.time.map((time, row) => [
            timeText(time),
            lengthText(drawn.length[row] ?? 0),
            ...[drawn.open, drawn.high, drawn.low, drawn.close].map((column) =>
              plainText(column[row] ?? 0),
            ),
          ])
        }
      />
      {run.fills.time.length > 0 && (
        <Beside
          caption="fills"
          head={['Time (UTC)', 'Instrument', 'Side', 'Price', 'Quantity', 'Why', 'Label', 'Order']}
          rows={() => run.fills.time.map((time, row) => fillRow(run, time, row))}
        />
      )}
      {run.refusals.length > 0 && (
        <Beside
          caption="refused intents"
          head={['First (UTC)', 'Last', 'Count', 'Instrument', 'Check', 'First in words']}
          rows={() =>
            run.refusals.map(({ time, last, count, instrument, check, text }) => [
              timeText(time),
              timeText(last),
              String(count),
              run.instruments[instrument] ?? '',
              check,
              text,
            ])
          }
        />
      )}
      {run.flows.length > 0 && (
        <Beside
          caption="funding and interest"
          head={['Time (UTC)', 'Kind', 'Instrument', `Amount, ${run.currency}`]}
          rows={() =>
            run.flows.map(({ time, kind, instrument, amount }) => [
              timeText(time),
              kind,
              run.instruments[instrument] ?? '',
              amount,
            ])
          }
        />
      )}
      {run.undecided.some(({ spans }) => spans.length > 0) && (
        <Beside
          caption="undecided candles"
          head={['Instrument', 'From', 'To']}
          rows={() =>
            run.undecided.flatMap(({ instrument, spans }) =>
              spans.map(([from, to]) => [
                run.instruments[instrument] ?? '',
                timeText(from),
                timeText(to),
              ]),
            )
          }
        />
      )}
      <Reasons run={run} store={store} />
    </Section>
  );
}

function fillRow(run: RunPage, time: number, row: number): readonly string[] {
  const { fills, instruments, texts } = run;
  return [
    timeText(time),
    instruments[fills.instrument[row] ?? -1] ?? '',
    `${fills.isBuy[row] === 1 ? 'buy' : 'sell'} to ${fills.isOpening[row] === 1 ? 'open' : 'close'}, ${fills.isMaker[row] === 1 ? 'maker' : 'taker'}${fills.isPart[row] === 1 ? ', in parts' : ''}`,
    fills.price[row] ?? '',
    fills.quantity[row] ?? '',
    texts[fills.cause[row] ?? 0] ?? '',
    texts[fills.label[row] ?? 0] ?? '',
    fills.order[row] ?? '',
  ];
}

/** Legend of the marks and lines in the picture of an instrument. */
function legendOf(
  { fills, texts, refusals, flows, undecided, plots }: RunPage,
  instrument: number,
): readonly (readonly [string, string])[] {
  const isOwn = (one: { readonly instrument: number }): boolean => one.instrument === instrument;
  const marks: readonly (readonly [boolean, string, string])[] = [
    [fills.time.length > 0, 'buy', 'Buy'],
    [fills.time.length > 0, 'sell', 'Sell'],
    [fills.isPart.includes(1), 'hollow', 'filled in parts'],
    [fills.cause.some((cause) => STOPS.has(texts[cause] ?? '')), 'bad', 'stop, liquidation'],
    [refusals.some(isOwn), 'cross', 'refused'],
    [flows.some(isOwn), 'flow', 'funding, interest'],
    [undecided.some((one) => isOwn(one) && one.spans.length > 0), 'shade', 'undecided candle'],
  ];
  return [
    ...marks.flatMap(([isThere, swatch, name]) => (isThere ? [[swatch, name] as const] : [])),
    ...plots.filter(isOwn).map(({ name }, index) => [`line${String(index % 4)}`, name] as const),
  ];
}

function sayLengths({ lengths }: DrawnBars, bars: CandleBars, { from, to }: View): string {
  const { stepMs, interval, left } = bars.candles;
  const missing = left === '' ? '' : ` ${left}.`;
  const [shortest] = lengths;
  if (shortest === undefined) return 'There are no candles in this range.';
  if (lengths.length === 1 && shortest === stepMs)
    return `Each bar is one candle of ${interval}.${missing}`;
  if (lengths.length > 1)
    return `Around trades and undecided candles each bar is one candle of ${interval}; elsewhere a bar stands for ${lengths.slice(1).map(lengthText).join(' or ')}.${missing}`;
  const near = bars.isExact(from, to)
    ? ''
    : ', but candle by candle only around trades and undecided candles';
  return `A bar stands for ${lengthText(shortest)} (${String(Math.round(shortest / stepMs))} candles of ${interval}). Zoom in to see finer ones${near}.${missing}`;
}

const mostFor = (plot: uPlot | null): number =>
  Math.min(MOST_BARS, Math.max(200, (plot?.bbox.width ?? 800) / devicePixelRatio));

function show(plot: uPlot, { from, to }: View): void {
  plot.setScale('x', { min: from, max: to });
}

function bounded(run: RunPage, from: number, to: number): Partial<View> {
  const [least, most] = [Math.min(60_000, run.to - run.from), (run.to - run.from) * 1.1];
  const length = Math.min(Math.max(to - from, least * 4), most);
  const middle = Math.min(Math.max((from + to) / 2, run.from), run.to);
  return { from: middle - length / 2, to: middle + length / 2 };
}

function move(store: ViewStore, run: RunPage, share: number): void {
  const { from, to } = store.view;
  const by = (to - from) * share;
  store.change(bounded(run, from + by, to + by));
}

function zoom(store: ViewStore, run: RunPage, factor: number, at = 0.5): void {
  const { from, to } = store.view;
  const [length, middle] = [(to - from) * factor, from + (to - from) * at];
  store.change(bounded(run, middle - length * at, middle + length * (1 - at)));
}

function onKey(key: string, store: ViewStore, run: RunPage): boolean {
  if (key === 'ArrowLeft') move(store, run, -0.25);
  else if (key === 'ArrowRight') move(store, run, 0.25);
  else if (key === '+' || key === '=' || key === 'ArrowUp') zoom(store, run, 0.5);
  else if (key === '-' || key === 'ArrowDown') zoom(store, run, 2);
  else if (key === 'Home') store.change({ from: run.from, to: run.to });
  else if (key === 'n' || key === 'p')
    document.dispatchEvent(new CustomEvent('trade-step', { detail: key === 'n' ? 1 : -1 }));
  else return false;
  return true;
}

interface Drag {
  readonly pointer: number;
  readonly x: number;
  readonly from: number;
  readonly to: number;
}

/** Drag moves, the wheel zooms, a click chooses the nearest fill. */
function listenTo(plot: uPlot, store: ViewStore, run: RunPage): () => void {
  const { over } = plot;
  let start: Drag | undefined;
  let moved = 0;
  const down = (event: PointerEvent): void => {
    // A second finger would move the candles by its distance to the first.
    if (event.button !== 0 || !event.isPrimary) return;
    const { from, to } = store.view;
    start = { pointer: event.pointerId, x: event.clientX, from, to };
    moved = 0;
    over.setPointerCapture(event.pointerId);
  };
  const drag = (event: PointerEvent): void => {
    if (start?.pointer !== event.pointerId) return;
    moved = Math.max(moved, Math.abs(event.clientX - start.x));
    const by = ((start.x - event.clientX) / over.clientWidth) * (start.to - start.from);
    if (moved > 2) store.change(bounded(run, start.from + by, start.to + by));
  };
  const up = (event: PointerEvent): void => {
    if (start?.pointer !== event.pointerId) return;
    if (moved <= 2) {
      const box = over.getBoundingClientRect();
      const fill = nearestFill(
        plot,
        run,
        store.view,
        event.clientX - box.left,
        event.clientY - box.top,
      );
      if (fill !== undefined) store.change({ fill, trade: run.fills.trade[fill] ?? -1 });
    }
    start = undefined;
  };
  // A finger that scrolls the page ends here, not in up.
  const cancel = (): void => {
    start = undefined;
  };
  const wheel = (event: WheelEvent): void => {
    event.preventDefault();
    const box = over.getBoundingClientRect();
    const at = (event.clientX - box.left) / box.width;
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) move(store, run, event.deltaX / box.width);
    else zoom(store, run, event.deltaY > 0 ? 1.25 : 0.8, at);
  };
  over.addEventListener('pointerdown', down);
  over.addEventListener('pointermove', drag);
  over.addEventListener('pointerup', up);
  over.addEventListener('pointercancel', cancel);
  over.addEventListener('wheel', wheel, { passive: false });
  return () => {
    over.removeEventListener('pointerdown', down);
    over.removeEventListener('pointermove', drag);
    over.removeEventListener('pointerup', up);
    over.removeEventListener('pointercancel', cancel);
    over.removeEventListener('wheel', wheel);
  };
}

interface Inputs {
  readonly run: RunPage;
  readonly bars: CandleBars | undefined;
  readonly store: ViewStore;
  readonly colors: Colors;
  readonly width: number;
}

function candlePlot({ run, bars, store, colors, width }: Inputs): {
  readonly options: Omit<uPlot.Options, 'width' | 'height'>;
  readonly data: uPlot.AlignedData;
} {
  const instrument = bars?.candles.instrument ?? 0;
  let drawn: DrawnBars | undefined;
  let key = '';
  const barsOf = (from: number, to: number): DrawnBars => {
    const next = `${String(from)} ${String(to)}`;
    if (drawn === undefined || key !== next)
      drawn = bars?.between(from, to, Math.min(MOST_BARS, Math.max(200, width)));
    key = next;
    return drawn as DrawnBars;
  };
  const overlay: Overlay = { run, instrument, colors };
  const hidden = run.undecided.find((one) => one.instrument === instrument)?.spans ?? [];
  const starts = hidden.map(([from]) => from);
  const background = (plot: uPlot): void => {
    const { from, to } = store.view;
    let painted = -1;
    for (let row = Math.max(0, rowFrom(starts, from) - 1); row < hidden.length; row += 1) {
      const [a, b] = hidden[row] as readonly [number, number];
      if (a > to) break;
      const left = Math.round(plot.valToPos(a, 'x'));
      if (left === painted) continue;
      painted = left;
      fillSpan(plot, a, b, colors.shade, 1);
    }
    for (const { time, until } of run.halts)
      fillSpan(plot, time, until ?? time, `${colors.bad}25`, 2);
  };
  const draw = (plot: uPlot): void => {
    const { from, to, trade } = store.view;
    drawCandles(plot, barsOf(from, to), colors);
    drawLines(plot, overlay, from, to);
    drawMarkers(plot, overlay, { from, to, trade });
  };
  return {
    options: {
      scales: {
        x: { time: true, auto: false, range: () => [store.view.from, store.view.to] },
        y: { auto: true, range: () => rangeOf(barsOf(store.view.from, store.view.to)) },
      },
      axes: axes(colors),
      series: [
        {},
        { show: true, stroke: 'transparent', points: { show: false }, paths: () => null },
      ],
      legend: { show: false },
      cursor: { drag: { x: false, y: false, setScale: false }, points: { show: false } },
      hooks: { drawClear: [background], draw: [draw] },
    },
    data: [
      [run.from, run.to],
      [0, 0],
    ],
  };
}

function rangeOf({ low, high }: DrawnBars): [number, number] {
  let [bottom, top] = [Infinity, -Infinity];
  for (let row = 0; row < low.length; row += 1) {
    bottom = Math.min(bottom, low[row] as number);
    top = Math.max(top, high[row] as number);
  }
  if (bottom > top) return [0, 1];
  const room = (top - bottom || top || 1) * 0.06;
  return [bottom - room, top + room];
}
