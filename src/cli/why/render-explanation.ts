import {
  formatFixed,
  formatUtc,
  visibleText,
  type BookLevel,
  type FillRecord,
  type InstrumentId,
  type MarginReading,
  type MarketReading,
  type OrderRequest,
} from '../../domain/index.js';
import { describeEvent } from '../../engine/index.js';
import { isOrderUpdate } from '../../venue/index.js';
import type { WorkedIntent } from '../../report/index.js';
import type {
  VenueAnswer,
  Decision,
  Explanation,
  Moment,
  SentCommand,
  SetTargets,
} from './explanation.js';

/** Names of the checks that an intent for an instrument has to pass. */
export type ChecksOf = (instrumentId: InstrumentId) => readonly string[];

/** Writes an explanation as lines, in the order of cause and effect. */
export function renderExplanation(explanation: Explanation, checksOf: ChecksOf): readonly string[] {
  const { asked, asOf, state, decided, next } = explanation;
  const [first] = decided;
  const isAsked = first?.event.time === asked;
  const lines = [row('instant', formatUtc(asked))];
  if (state !== undefined) lines.push(row('state', state));
  if (!isAsked) {
    lines.push(...asOf.flatMap(renderKnown));
    if (asOf.length === 0) lines.push(row('data', 'no new data at this instant'));
    const before = first === undefined ? 'none before' : `last ${formatUtc(first.event.time)}`;
    const after = next === undefined ? 'none after' : `next ${formatUtc(next)}`;
    lines.push(row('decided', `nothing at this instant; ${before}, ${after}`));
    if (first !== undefined) lines.push('', row('instant', formatUtc(first.event.time)));
  }
  lines.push(...renderDecided(explanation, checksOf));
  return lines;
}

/** Writes the known data, the intents, the verdicts of risk, and the orders with their results. */
export function renderDecided(explanation: Explanation, checksOf: ChecksOf): readonly string[] {
  return explanation.decided.flatMap((moment) => [
    ...renderKnown(moment),
    ...moment.targets.flatMap((target) => renderTargets(target, moment)),
    ...moment.decisions.flatMap((decision) => renderDecision(decision, explanation, checksOf)),
  ]);
}

/** Makes the `--json` form of an explanation. */
export function explanationToJson(explanation: Explanation, checksOf: ChecksOf): unknown {
  const { asked, asOf, state, decided, next } = explanation;
  const known = (moment: Moment): object => ({
    eventId: moment.eventId,
    data: renderData(moment),
    log: moment.log,
  });
  return {
    asked,
    known: asOf.map(known),
    state: state === undefined ? null : (JSON.parse(state) as unknown),
    time: decided[0]?.event.time ?? null,
    next: next ?? null,
    targets: decided.flatMap((moment) =>
      moment.targets.map((target) => ({ ...target, time: moment.event.time })),
    ),
    decisions: decided.flatMap((moment) =>
      moment.decisions.map(({ verdict, instrumentId }) => ({
        ...known(moment),
        instrument: instrumentId,
        intentId: verdict.intentId,
        intent: verdict.intent,
        checks: checksOf(instrumentId),
        verdict: verdict.decision.kind,
        refusal: verdict.decision.kind === 'refused' ? verdict.decision.refusal : null,
        changes: verdict.decision.kind === 'approved' ? verdict.decision.changes : [],
        worked: workOf(verdict.intentId, explanation),
        orders: ordersOf(verdict.intentId, instrumentId, explanation).map(
          ({ time, order, cancels, answers }) => ({
            time,
            clientOrderId: order.clientOrderId,
            order: renderOrder(order),
            cancels: cancels.map((cancel) => cancel.time),
            answers: answers.map((answer) => ({ time: answer.time, answer: renderAnswer(answer) })),
          }),
        ),
      })),
    ),
  };
}

/** Makes a safe line: text of a strategy or a venue must not control the terminal. */
function row(name: string, text: string): string {
  return `${name.padEnd(10)}${visibleText(text)}`;
}

function renderKnown(moment: Moment): readonly string[] {
  return [
    ...renderData(moment).map((text) => row('data', text)),
    ...moment.log.map(({ level, message, fields }) =>
      row('log', `${level} ${message}${fields === undefined ? '' : ` ${JSON.stringify(fields)}`}`),
    ),
  ];
}

function renderData({ event, isClosing }: Moment): readonly string[] {
  switch (event.kind) {
    case 'candles':
      return event.candles.map(
        ({ instrumentId, interval, openTime, open, high, low, close, volume }) =>
          `${instrumentId} ${interval} candle of ${formatUtc(openTime)}: open ${String(open)}, high ${String(high)}, low ${String(low)}, close ${String(close)}, volume ${String(volume)}`,
      );
    case 'ticker':
      return [`${event.instrumentId} last ${formatFixed(event.last)}`];
    case 'venue':
      return [renderAnswer({ time: event.time, update: event.update })];
    case 'marks':
      return event.marks.map(({ instrumentId, price }) => `${instrumentId} mark ${String(price)}`);
    case 'reading':
      return renderReading(event.reading);
    case 'operator':
      return [
        isClosing
          ? `closeAtEnd at ${formatUtc(event.time)}: the run is over`
          : describeEvent(event),
      ];
    case 'margins':
      return event.readings.map(renderMargin);
    case 'opening':
    case 'health':
    case 'rules':
    case 'stops':
    case 'strategy-failed':
    case 'end':
    case 'timer':
      return [describeEvent(event)];
  }
}

function renderReading(reading: MarketReading): readonly string[] {
  const { instrumentId } = reading;
  switch (reading.kind) {
    case 'ticker':
      return [
        `${instrumentId} ticker: last ${String(reading.last)}, bid ${String(reading.bestBid ?? 'none')}, ask ${String(reading.bestAsk ?? 'none')}`,
      ];
    case 'depth': {
      const best = ([level]: readonly BookLevel[]): string =>
        level === undefined ? 'none' : `${String(level.quantity)} at ${String(level.price)}`;
      return [`${instrumentId} book: bid ${best(reading.bids)}, ask ${best(reading.asks)}`];
    }
    case 'trades':
      return reading.trades.map(
        ({ time, price, quantity, takerSide }) =>
          `${instrumentId} trade of ${formatUtc(time)}: ${takerSide} ${String(quantity)} at ${String(price)}`,
      );
    case 'index':
      return [
        `${instrumentId} mark ${String(reading.markPrice)}, index ${String(reading.indexPrice)}, funding rate ${String(reading.fundingRate ?? 'not told')}`,
      ];
  }
}

function renderMargin(reading: MarginReading): string {
  const text = (amount: bigint | undefined): string =>
    amount === undefined ? 'not told' : formatFixed(amount);
  const { instrumentId, direction, frozen } = reading;
  return `${instrumentId} ${direction}: mark ${text(reading.markPrice)}, liquidation ${text(reading.liquidationPrice)}, margin rate ${text(reading.marginRate)} of ${text(reading.maintenanceRate)}, closing ${text(reading.pendingClose)}, frozen: ${frozen}`;
}

function renderTargets({ intentId, intent }: SetTargets, { decisions }: Moment): readonly string[] {
  const { kind, ...terms } = intent;
  const set = row('intent', `${String(intentId)} ${kind} ${JSON.stringify(terms)}`);
  if (decisions.some(({ verdict }) => verdict.intentId === intentId)) return [set];
  return [
    set,
    row(
      'verdict',
      'no trade at this instant: each position is at its target, within the tolerance or the minimums, or waits for orders that end',
    ),
  ];
}

function renderDecision(
  { verdict, instrumentId }: Decision,
  explanation: Explanation,
  checksOf: ChecksOf,
): readonly string[] {
  const { intentId, intent, decision } = verdict;
  const { kind, ...terms } = intent;
  const lines = [
    row('intent', `${String(intentId)} ${kind} ${instrumentId} ${JSON.stringify(terms)}`),
    row('checks', checksOf(instrumentId).join(', ')),
  ];
  if (decision.kind === 'refused') {
    const { check, limit, actual, unit, text } = decision.refusal;
    lines.push(
      row('verdict', `refused by ${check}: limit ${limit}, actual ${actual} ${unit}; ${text}`),
    );
  } else {
    const changes = decision.changes.map(
      (change) => `${change.field} ${change.kind} from ${change.from} to ${change.to}`,
    );
    lines.push(row('verdict', ['approved', ...changes].join('; ')));
  }
  for (const { time, order, cancels, answers } of ordersOf(intentId, instrumentId, explanation)) {
    lines.push(row('order', `${formatUtc(time)} ${order.clientOrderId}: ${renderOrder(order)}`));
    const later = [
      ...answers.map((answer) => ({
        at: answer.time,
        text: row('answer', `${formatUtc(answer.time)} ${renderAnswer(answer)}`),
      })),
      ...cancels.map((cancel) => ({
        at: cancel.time,
        text: row('cancel', `${formatUtc(cancel.time)} asked for`),
      })),
    ];
    lines.push(...later.toSorted((a, b) => a.at - b.at).map(({ text }) => text));
  }
  lines.push(...workOf(intentId, explanation).map((work) => row('worked', renderWork(work))));
  return lines;
}

function workOf(intentId: number, { worked }: Explanation): readonly WorkedIntent[] {
  return worked.filter(({ intent }) => intent === intentId);
}

function renderWork(work: WorkedIntent): string {
  const { side, quantity, unit, arrival, filled, averagePrice, shortfall, currency, to } = work;
  const cost =
    averagePrice === null
      ? ''
      : ` at ${averagePrice}, shortfall ${shortfall ?? '0'} ${currency} (${(work.shortfallBps ?? 0).toFixed(2)} bps)`;
  const end = to === null ? 'not over' : `over at ${formatUtc(to)}`;
  return `${side} ${quantity} ${unit}, arrival ${arrival}: ${filled} filled${cost}; ${end}`;
}

interface ExplainedOrder {
  readonly time: number;
  readonly order: OrderRequest;
  readonly cancels: readonly SentCommand[];
  readonly answers: readonly VenueAnswer[];
}

/** The orders of a decision. A target has orders of several instruments, each with a decision of its own. */
function ordersOf(
  intentId: number,
  instrumentId: InstrumentId,
  { sent, answers }: Explanation,
): readonly ExplainedOrder[] {
  return sent.flatMap(({ time, command }) => {
    if (command.kind !== 'submit') return [];
    const { order } = command;
    if (order.intentId !== intentId || order.instrumentId !== instrumentId) return [];
    const cancels = sent.filter(
      (other) =>
        other.command.kind === 'cancel' && other.command.clientOrderId === order.clientOrderId,
    );
    return [{ time, order, cancels, answers: answers.get(order.clientOrderId) ?? [] }];
  });
}

function renderOrder(order: OrderRequest): string {
  const { side, action, type, quantity, unit } = order;
  const price =
    order.type === 'limit' ? ` at ${formatFixed(order.limitPrice)} ${order.timeInForce}` : '';
  return `${type} ${side} ${action} ${formatFixed(quantity)} ${unit}${price}`;
}

function renderAnswer({ update }: VenueAnswer): string {
  if (!isOrderUpdate(update)) {
    return update.kind === 'forced-fill'
      ? `${update.cause}: ${renderFill(update.fill)}`
      : update.kind;
  }
  switch (update.kind) {
    case 'accepted':
      return `accepted as ${update.venueOrderId}`;
    case 'fill':
      return `${update.isFilled ? 'filled' : 'filled in part'}: ${renderFill(update.fill)}`;
    case 'ended':
      return `${update.status}: ${update.reason.text} (${update.reason.code})`;
    case 'cancel-rejected':
      return `cancel rejected: ${update.reason.text} (${update.reason.code})`;
    case 'outcome-unknown':
      return `no answer, the outcome is unknown: ${update.reason.text} (${update.reason.code})`;
  }
}

function renderFill({ quantity, price, fee, feeAsset, liquidity }: FillRecord): string {
  return `${formatFixed(quantity)} at ${formatFixed(price)}, fee ${formatFixed(fee)} ${feeAsset}, ${liquidity}`;
}
