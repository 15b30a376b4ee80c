import { GAP, type CandleShape, type PlayedShape } from './candle-shapes.js';
import type { DrawnStep } from './drawn-steps.js';

/** From this length on, `wave(…)` is shorter than `closes(…)` for alternating closes. */
const LEAST_WAVE = 5;

/** Writes steps as code of a test on a StrategyTest with the name `test`: one line for each part of the market. */
export function writeSteps(steps: readonly DrawnStep[]): string {
  const lines: string[] = [];
  let played: PlayedShape[] = [];
  const flush = (): void => {
    if (played.length > 0) lines.push(`test.play([${writeShapes(played).join(', ')}]);`);
    played = [];
  };
  for (const step of steps) {
    if (step.kind === 'play') {
      played.push(step.played);
      continue;
    }
    flush();
    const instrument = step.instrument === undefined ? '' : `, '${step.instrument}'`;
    lines.push(`test.changeRules(${writeValue(step.changed)}${instrument});`);
  }
  flush();
  return lines.join('\n');
}

/** Writes the items of a list. Successive candles with only a close become one item, and so do candles that keep the previous close. */
function writeShapes(played: readonly PlayedShape[]): readonly string[] {
  const items: string[] = [];
  let run: { isStill: boolean; closes: number[] } | undefined;
  let before: number | undefined;
  const flush = (): void => {
    if (run !== undefined) items.push(...writeRun(run));
    run = undefined;
  };
  for (const one of played) {
    const close = closeAlone(one);
    if (close === undefined) {
      flush();
      items.push(one === GAP ? 'GAP' : writeValue(one));
    } else {
      const isStill = close === (before ?? close);
      if (run?.isStill !== isStill) flush();
      run = { isStill, closes: [...(run?.closes ?? []), close] };
    }
    before = one === GAP ? before : closeOf(one);
  }
  flush();
  return items;
}

function writeRun({
  isStill,
  closes,
}: {
  readonly isStill: boolean;
  readonly closes: readonly number[];
}): readonly string[] {
  const [first, second] = closes;
  if (second === undefined) return closes.map((close) => writeValue({ close }));
  if (isStill) return [`...flat(${String(closes.length)}, ${String(first)})`];
  const end = closes.findIndex((close, index) => index > 1 && close !== closes[index - 2]);
  const length = end === -1 ? closes.length : end;
  if (length < LEAST_WAVE) return [`...closes(${closes.join(', ')})`];
  const wave = `...wave(${String(length)}, ${String(first)}, ${String(second)})`;
  const rest = closes.slice(length);
  return [wave, ...(rest.length > 0 ? writeRun({ isStill, closes: rest }) : [])];
}

/** The close of a candle of the first instrument; undefined for other items. */
function closeOf(played: PlayedShape): number | undefined {
  const { close } = played as Partial<CandleShape>;
  return typeof close === 'number' ? close : undefined;
}

/** The close of a candle that has only a close; undefined for other items. */
function closeAlone(played: PlayedShape): number | undefined {
  return Object.keys(played).length === 1 ? closeOf(played) : undefined;
}

function writeValue(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`;
  if (typeof value !== 'object' || value === null) return String(value);
  const entries = Object.entries(value).map(([key, each]: [string, unknown]) => {
    const name = /^\w+$/.test(key) ? key : `'${key}'`;
    return `${name}: ${writeValue(each)}`;
  });
  return `{ ${entries.join(', ')} }`;
}
