import { formatUtc } from '../domain/index.js';
import type { Result } from '../run/index.js';
import { StrategyTest } from './strategy-test.js';

/** A value that a golden file can be made from. */
export type GoldenValue = StrategyTest | Result;

/** Lists orders, fills and refusals, oldest first, one line each, and the final equity. */
export function goldenLines(value: GoldenValue): readonly string[] {
  const { orders, fills, refusals, equity } =
    value instanceof StrategyTest ? linesOfTest(value) : linesOfResult(value);
  return [
    ...listOf('orders', orders),
    ...listOf('fills', fills),
    ...listOf('refusals', refusals),
    `equity ${equity}`,
  ];
}

interface GoldenParts {
  readonly orders: readonly string[];
  readonly fills: readonly string[];
  readonly refusals: readonly string[];
  readonly equity: string;
}

function listOf(noun: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [`no ${noun}`] : [noun, ...lines.map((line) => `  ${line}`)];
}

function linesOfTest(test: StrategyTest): GoldenParts {
  return {
    orders: test.orders.map((order) =>
      orderLine({
        time: order.state.createdTime,
        instrument: order.instrumentId,
        side: order.side,
        quantity: order.quantity.toString(),
        unit: order.unit,
        price: order.limitPrice?.toString() ?? null,
        filled: order.filledQuantity.toString(),
        status: order.status,
        reason: order.reason?.code ?? null,
      }),
    ),
    fills: test.fills.map((fill) =>
      fillLine({
        time: fill.eventTime,
        instrument: fill.instrumentId,
        side: fill.side,
        quantity: fill.quantity.toString(),
        price: fill.price.toString(),
        fee: fill.fee.toString(),
        feeAsset: fill.feeAsset,
      }),
    ),
    refusals: test.refusals.map(({ time, check, text }) => `${formatUtc(time)} ${check}: ${text}`),
    equity: test.equity.toString(),
  };
}

function linesOfResult({ orders, fills, refusals, equity }: Result): GoldenParts {
  return {
    orders: orders.map(orderLine),
    fills: fills.map(fillLine),
    refusals: refusals.map(
      ({ time, count, check, text }) =>
        `${formatUtc(time)} ${check}: ${text}${count > 1 ? `, ${String(count)} times` : ''}`,
    ),
    equity: `${equity.final} ${equity.currency}`,
  };
}

type OrderLine = Pick<
  Result['orders'][number],
  'time' | 'instrument' | 'side' | 'quantity' | 'unit' | 'price' | 'filled' | 'status' | 'reason'
>;

function orderLine(order: OrderLine): string {
  const { time, instrument, side, quantity, unit, price, filled, status, reason } = order;
  const limit = price === null ? 'at market' : `at ${price} or better`;
  const why = reason === null ? '' : ` (${reason})`;
  return `${formatUtc(time)} ${side} ${quantity} ${unit} of ${instrument} ${limit}: ${filled} filled, ${status}${why}`;
}

type FillLine = Pick<
  Result['fills'][number],
  'time' | 'instrument' | 'side' | 'quantity' | 'price' | 'fee' | 'feeAsset'
>;

function fillLine({ time, instrument, side, quantity, price, fee, feeAsset }: FillLine): string {
  return `${formatUtc(time)} ${side} ${quantity} of ${instrument} at ${price}, fee ${fee} ${feeAsset}`;
}
