import type { WireAnswer } from '../http/wire-answer.js';
import type { DrawnFault } from './fault-plan.js';
import type { FaultKind } from './fault-rule.js';

/** The most answers that are stored for repetition. */
const MAX_REMEMBERED = 1_000;

const HTML_PAGE =
  '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n</body>\r\n</html>\r\n';

/** Rows of a kline answer: their numbers are float64 by design, so nothing is lost by reading them. */
type Rows = readonly unknown[];

/** Changes to the rows of a kline answer, newest first. */
const ROW_FAULTS: Partial<
  Readonly<Record<FaultKind, (rows: Rows, chance: number) => Rows | undefined>>
> = {
  'missing-kline': (rows, chance) =>
    rows.length < 3 ? undefined : rows.toSpliced(inside(rows, chance), 1),
  'duplicate-kline': (rows, chance) => {
    const index = Math.floor(chance * rows.length);
    const row = rows[index];
    return row === undefined ? undefined : rows.toSpliced(index, 0, row);
  },
  'unordered-klines': (rows, chance) => {
    if (rows.length < 2) return undefined;
    const cut = inside(rows, chance);
    return [...rows.slice(cut), ...rows.slice(0, cut)];
  },
};

/** Index of a row between the first and the last, so that its removal leaves a gap. */
function inside(rows: Rows, chance: number): number {
  return 1 + Math.floor(chance * Math.max(1, rows.length - 2));
}

/** Damages answers, and repeats old ones. */
export class BodyFaults {
  /** The first answer since a rule began, by rule and request. */
  readonly #remembered = new Map<string, WireAnswer>();

  /** The answer that a client gets instead of the right one. */
  apply(answer: WireAnswer, fault: DrawnFault, target: string): WireAnswer {
    const { rule } = fault;
    if (rule.fault === 'truncated-json') {
      return { ...answer, body: answer.body.slice(0, Math.floor(answer.body.length / 2)) };
    }
    if (rule.fault === 'malformed-json') {
      return { ...answer, body: `${answer.body.slice(0, -1)},,${answer.body.slice(-1)}` };
    }
    if (rule.fault === 'html') {
      return { status: rule.status, body: HTML_PAGE, contentType: 'text/html' };
    }
    if (rule.fault === 'frozen-ticker' || rule.fault === 'repeated-kline') {
      return answer.status === 200 ? this.#repeat(answer, `${String(fault.id)} ${target}`) : answer;
    }
    const change = ROW_FAULTS[rule.fault];
    return change === undefined ? answer : changeRows(answer, (rows) => change(rows, fault.chance));
  }

  #repeat(answer: WireAnswer, key: string): WireAnswer {
    const known = this.#remembered.get(key);
    if (known !== undefined) return known;
    if (this.#remembered.size >= MAX_REMEMBERED) this.#remembered.clear();
    this.#remembered.set(key, answer);
    return answer;
  }
}

function changeRows(answer: WireAnswer, change: (rows: Rows) => Rows | undefined): WireAnswer {
  const rows: unknown = answer.status === 200 ? JSON.parse(answer.body) : undefined;
  const changed = Array.isArray(rows) ? change(rows) : undefined;
  return changed === undefined ? answer : { ...answer, body: JSON.stringify(changed) };
}
