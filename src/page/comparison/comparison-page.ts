import {
  describeResult,
  instantText,
  moneyDecimals,
  shortHash,
  type Result,
  type Trade,
} from '../../report/index.js';
import type { ComparisonPage } from '../page-data.js';
import { subtractAmounts } from '../run/amounts.js';
import { thin } from '../thin.js';

/** A result with the name that identifies it on the page. */
interface NamedResult {
  readonly name: string;
  readonly result: Result;
}

type Row = ComparisonPage['rows'][number];

/** Puts runs side by side. Differences are from the first run. */
export function buildComparison(runs: readonly NamedResult[]): ComparisonPage {
  const [first, ...others] = runs;
  return {
    kind: 'comparison',
    runs: runs.map(({ name, result }) => {
      const { title, figures } = describeResult(result);
      const { equity, equityCurve } = result;
      return {
        ...{ name, title, figures, currency: equity.currency, of: equityCurve.length },
        decimals: moneyDecimals(equity.currency),
        curve: thin(equityCurve, ([, amount]) => Number(amount)),
      };
    }),
    rows: figureRows(runs),
    firstDifferences:
      first === undefined ? [] : others.map((other) => firstDifference(first, other)),
    onlyIn: onlyIn(runs),
    inputs: inputRows(runs),
  };
}

function figureRows(runs: readonly NamedResult[]): readonly Row[] {
  const words = runs.map(({ result }) => describeResult(result).figures);
  const numbers = runs.map(({ result }) => ratiosOf(result));
  const [currency, ...others] = runs.map(({ result }) => result.equity.currency);
  const isSameCurrency = (run: number): boolean => others[run - 1] === currency;
  return (words[0] ?? []).map(({ label }, place) => {
    const amounts = runs.map(({ result }) => amountsOf(result).get(label));
    const isRate = words.some((figures) => figures[place]?.value.endsWith(' %'));
    return {
      label,
      kind: amounts[0] === undefined ? (isRate ? 'rate' : 'number') : 'amount',
      values: words.map((figures) => figures[place]?.value ?? ''),
      differences: runs.map((_, run) => {
        if (run === 0) return '';
        const [before, after] = [amounts[0], amounts[run]];
        if (before !== undefined && after !== undefined)
          return isSameCurrency(run) ? subtractAmounts(after, before) : '';
        const [from, to] = [numbers[0]?.get(label), numbers[run]?.get(label)];
        return from === undefined || to === undefined ? '' : String(to - from);
      }),
    };
  });
}

/** Figures in money, by their names in a summary. */
function amountsOf({ equity, statistics }: Result): ReadonlyMap<string, string> {
  const { fees, funding, interest, expectancy } = statistics;
  return new Map([
    ['Initial equity', equity.initial],
    ['Final equity', equity.final],
    ['Fees', fees],
    ['Funding', funding],
    ['Interest', interest],
    ...(expectancy === null ? [] : [['Expectancy', expectancy] as const]),
  ]);
}

function ratiosOf({ statistics }: Result): ReadonlyMap<string, number> {
  const { totalReturn, cagr, maxDrawdown, volatility, sharpe, sortino, calmar } = statistics;
  const { trades, winRate, profitFactor, exposure, turnover } = statistics;
  const named: readonly (readonly [string, number | null])[] = [
    ['Total return', totalReturn],
    ['CAGR', cagr],
    ['Max drawdown', maxDrawdown],
    ['Volatility', volatility],
    ['Sharpe', sharpe],
    ['Sortino', sortino],
    ['Calmar', calmar],
    ['Trades', trades],
    ['Win rate', winRate],
    ['Profit factor', profitFactor],
    ['Exposure', exposure],
    ['Turnover', turnover],
  ];
  return new Map(
    named.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const])),
  );
}

/** Compares orders and fills in order of time, without ids: in another run the same id may belong to another order. */
function firstDifference(one: NamedResult, other: NamedResult): string {
  const [left, right] = [linesOf(one.result), linesOf(other.result)];
  const place = left.findIndex(({ text }, index) => right[index]?.text !== text);
  const at = place >= 0 ? place : right.length > left.length ? left.length : -1;
  if (at < 0) return `${other.name}: every order and fill is that of ${one.name}.`;
  const [a, b] = [left[at], right[at]];
  const time = Math.min(a?.time ?? Infinity, b?.time ?? Infinity);
  return `First difference at ${instantText(time)}: ${one.name} has ${a?.text ?? 'nothing more'}; ${other.name} has ${b?.text ?? 'nothing more'}.`;
}

function linesOf({
  orders,
  fills,
}: Result): readonly { readonly time: number; readonly text: string }[] {
  const lines = [
    ...orders.map(({ time, instrument, action, side, type, price, quantity, unit }) => ({
      time,
      text: `${instantText(time)} order ${instrument} ${side} to ${action} ${quantity} ${unit} ${price === null ? type : `at ${price}`}`,
    })),
    ...fills.map(({ time, instrument, action, side, price, quantity }) => ({
      time,
      text: `${instantText(time)} fill ${instrument} ${side} to ${action} ${quantity} at ${price}`,
    })),
  ];
  return lines.sort((a, b) => a.time - b.time);
}

/** Trades of one run only: no other run has a trade of the same instrument and side with the same entry and exit times. Null if a result lists no trades. */
function onlyIn(runs: readonly NamedResult[]): ComparisonPage['onlyIn'] {
  if (runs.some(({ result }) => result.trades === undefined)) return null;
  const keys = runs.map(({ result }) => new Set((result.trades ?? []).map(keyOf)));
  return runs.flatMap(({ result }, run) =>
    (result.trades ?? [])
      .filter((trade) => keys.every((others, other) => other === run || !others.has(keyOf(trade))))
      .map((trade) => ({
        run,
        instrument: trade.instrument,
        side: trade.side,
        entryTime: trade.entry.time,
        exitTime: exitTimeOf(trade),
        quantity: trade.entry.quantity,
        profit: trade.profit,
      })),
  );
}

function keyOf(trade: Trade): string {
  const { instrument, side, entry } = trade;
  return `${instrument} ${side} ${String(entry.time)} ${String(exitTimeOf(trade))}`;
}

/** Null for a trade that was open at the end, even if a part of it was closed. */
function exitTimeOf({ open, exit }: Trade): number | null {
  return open ? null : (exit?.time ?? null);
}

function inputRows(runs: readonly NamedResult[]): ComparisonPage['inputs'] {
  const names = [...new Set(runs.flatMap(({ result }) => Object.keys(result.run.parameters)))];
  const row = (
    label: string,
    of: (result: Result) => string,
  ): ComparisonPage['inputs'][number] => ({
    label,
    values: runs.map(({ result }) => of(result)),
  });
  return [
    row('Strategy', ({ run }) => run.strategy),
    ...names.map((name) => row(name, ({ run }) => String(run.parameters[name] ?? ''))),
    row('From', ({ run }) => instantText(run.from)),
    row('To', ({ run }) => instantText(run.to)),
    row('Instruments', ({ run }) => run.instruments.join(', ')),
    row('Configuration', ({ run }) => shortHash(run.configHash)),
    row('Data', ({ run }) => shortHash(run.dataHash)),
    row('Run', ({ run }) => shortHash(run.id)),
  ];
}
