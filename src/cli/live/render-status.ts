import { createColors } from 'picocolors';
import { formatUtc, nounOf, visibleText, type EpochMs } from '../../domain/index.js';
import type { BotState, BotStatus } from '../../live/index.js';
import { moneyText } from '../../report/index.js';
import { formatCount, formatNoun } from '../data/format.js';

/** Digits of a shown price or amount: the venue gives prices of liquidation with far more digits. */
const PRICE_DIGITS = 8;

interface RenderStatusOptions {
  readonly color: boolean;
  /** Longest list of orders, positions or streams; a last line counts the rest. @defaultValue no limit */
  readonly maxRows?: number | undefined;
}

/** Makes all text of a status safe: words of the venue and of the strategy must not control the terminal. */
function visible(value: unknown): unknown {
  if (typeof value === 'string') return visibleText(value);
  if (Array.isArray(value)) return value.map(visible);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, visible(member)]));
}

type Colors = ReturnType<typeof createColors>;

/** Writes a bot's status as lines for people, the most serious first. */
export function renderStatus(told: BotStatus, options: RenderStatusOptions): readonly string[] {
  const status = visible(told) as BotStatus;
  const colors = createColors(options.color);
  const { name, mode, state, since, reasons, equity, profit, lastDecision, reload } = status;
  const paint = colorOf(state, colors);
  const list = (title: string, rows: readonly string[]): readonly string[] =>
    shorten(rows, options.maxRows).map((text, index) => row(index === 0 ? title : '', text));
  return [
    `${colors.bold(name)}  ${mode}  ${paint(state)} since ${formatUtc(since)}`,
    ...list('because', reasons),
    row(
      'equity',
      equity === undefined ? 'not known yet' : moneyText(equity.amount, equity.currency),
    ),
    ...(profit === undefined ? [] : [row('profit', moneyText(profit.amount, profit.currency))]),
    ...list('positions', orNone(status.positions.map(describePosition), state)),
    ...list('margins', status.margins.map(describeMargin)),
    ...list('owes', describeDebts(status)),
    ...list('orders', orNone(status.orders.map(describeOrder), state)),
    ...list('guards', status.guards.map(describeGuard)),
    ...list('triggers', status.triggers.map(describeTrigger)),
    row('guarded', describeGuardedBy(status)),
    ...list(
      'sampled',
      status.sampled.map((each) => describeSampling(each, status.time)),
    ),
    ...list('worked', status.worked.map(describeWork)),
    ...list('waiting', status.waiting.map(describeWaiting)),
    ...list('canceling', status.cancels.map(describeCancels)),
    ...list('warming up', status.warmUp.map(describeWarmUp)),
    ...list(
      'streams',
      status.streams.map((stream) => describeStream(stream, status.time)),
    ),
    ...list('budgets', status.budgets.map(describeBudget)),
    row(
      'engine',
      `${formatNoun(status.events, 'event')}, ${formatNoun(status.commands, 'command')}, at ${formatUtc(status.time)}`,
    ),
    row(
      'decided',
      lastDecision === undefined
        ? 'nothing yet'
        : `${formatUtc(lastDecision.time)} ${lastDecision.text}`,
    ),
    ...list('reload', reload === undefined ? [] : [describeReload(reload)]),
  ];
}

function describeReload({ state, since, text }: NonNullable<BotStatus['reload']>): string {
  return `${state} at ${formatUtc(since)}: ${text}`;
}

/** Describes which process samples the stops, since when, and whether another process would take over. */
function describeGuardedBy({ mode, state, guardedBy }: BotStatus): string {
  const { process, since, standby } = guardedBy;
  if (state === 'stopped') return 'by no process: the bot has stopped';
  if (state === 'starting') return 'not yet';
  const time = since === undefined ? '' : ` since ${formatUtc(since)}`;
  const who = `by the ${process === 'guard' ? 'guard process' : 'bot'}${time}`;
  if (mode === 'paper') return who;
  if (process === 'guard') return `${who}, until the bot is started again`;
  return standby === 'off'
    ? `${who}, without a guard process`
    : `${who}; its guard process is ${standby}`;
}

/** Describes the missing candles, and how much the values of indicators still depend on the beginning. */
function describeWarmUp({
  instrumentId,
  interval,
  missing,
  candles,
  indicators,
}: BotStatus['warmUp'][number]): string {
  const weights = indicators
    .filter(({ weight }) => weight > 0)
    .map(({ name, weight }) => `${name} ${(100 * weight).toPrecision(2)} %`);
  const left = weights.length === 0 ? '' : `; weight of the first value: ${weights.join(', ')}`;
  return `${instrumentId} ${interval}: ${formatCount(missing)} of ${formatCount(candles)} candles ${nounOf(missing, 'is', 'are')} missing${left}`;
}

/** Describes the sampled price, how often the limits allow a sample, and when the last one was. */
function describeSampling(sampled: BotStatus['sampled'][number], now: EpochMs): string {
  const { instrumentId, by, at, everyMs, latelyMs } = sampled;
  const price = by === 'last' ? 'last price' : 'mark, far from its levels,';
  const lately = latelyMs === undefined ? '' : `, lately after ${formatAge(latelyMs)}`;
  const when = at === undefined ? 'not yet' : `${formatAge(now - at)} ago`;
  return `${instrumentId} ${price} every ${formatAge(everyMs)}${lately}: ${when}`;
}

/** Writes an age for people: `4.2 s`, `12 min`, `3 h`. */
export function formatAge(ms: number): string {
  if (ms < 60_000) return `${(Math.max(0, ms) / 1_000).toFixed(1)} s`;
  if (ms < 3_600_000) return `${String(Math.floor(ms / 60_000))} min`;
  return `${String(Math.floor(ms / 3_600_000))} h`;
}

function row(title: string, text: string): string {
  return `  ${title.padEnd(11)}${text}`;
}

/** Writes `none` for an empty list; while the bot starts, the content is still in its journal and not known yet. */
function orNone(rows: readonly string[], state: BotState): readonly string[] {
  if (rows.length > 0) return rows;
  return [state === 'starting' ? 'not known yet' : 'none'];
}

/** Cuts a list to `most` rows; the last one counts the others. */
export function shorten(rows: readonly string[], most = rows.length): readonly string[] {
  if (rows.length <= most) return rows;
  return [...rows.slice(0, most - 1), `and ${formatCount(rows.length - most + 1)} more`];
}

function colorOf(state: BotState, colors: Colors): (text: string) => string {
  switch (state) {
    case 'running':
      return colors.green;
    case 'halted':
    case 'degraded':
    case 'frozen':
    case 'strategy-failed':
      return colors.red;
    case 'starting':
    case 'warming':
    case 'paused':
    case 'halting':
    case 'stopped':
      return colors.yellow;
  }
}

function describePosition({
  instrumentId,
  direction,
  quantity,
  isDust,
}: BotStatus['positions'][number]): string {
  const dust = isDust ? ' (dust: no stop sells it)' : '';
  return `${instrumentId} ${direction} ${quantity}${dust}`;
}

/** Describes debts from the bot's own books, because the venue shows none. */
function describeDebts({ debts, marginLevel }: BotStatus): readonly string[] {
  const level =
    marginLevel === undefined
      ? ''
      : `; assets are ${Number(marginLevel).toFixed(3)} times the debt`;
  return debts.map(
    ({ asset, principal, estimatedInterest }) =>
      `${principal} ${asset} and ${String(Number(Number(estimatedInterest).toPrecision(PRICE_DIGITS)))} of interest, by own executions and the configured rate${level}`,
  );
}

function describeMargin(margin: BotStatus['margins'][number]): string {
  const { instrumentId, direction, liquidationPrice, distance, frozen } = margin;
  const where =
    liquidationPrice === undefined || distance === undefined
      ? 'liquidation not shown'
      : `liquidation at ${String(Number(Number(liquidationPrice).toPrecision(PRICE_DIGITS)))}, ${(Number(distance) * 100).toFixed(1)} % away`;
  const lock = frozen === 'no' ? '' : `, frozen for ${frozen}: exits are refused`;
  return `${instrumentId} ${direction}: ${where}${lock}`;
}

function describeOrder(order: BotStatus['orders'][number]): string {
  const { side, quantity, instrumentId, limitPrice, filled, status, clientOrderId } = order;
  const cause = order.cause === 'signal' ? '' : `, ${order.cause}`;
  const price = limitPrice === undefined ? 'at market' : `at ${limitPrice}`;
  return `${side} ${quantity} ${instrumentId} ${price}, ${filled} filled, ${status}${cause}${nameOf(order)} (${clientOrderId})`;
}

function nameOf({ label }: { readonly label: string | undefined }): string {
  return label === undefined ? '' : ` "${label}"`;
}

function describeGuard(guard: BotStatus['guards'][number]): string {
  const { instrumentId, direction, quantity, stop, takeProfit, trailingStop, intentId } = guard;
  const levels = [
    stop === undefined ? [] : [`stop ${stop}`],
    trailingStop === undefined ? [] : [`trailing stop ${trailingStop}`],
    takeProfit === undefined ? [] : [`take-profit ${takeProfit}`],
  ].flat();
  const what =
    intentId === undefined ? 'position' : `entry${nameOf(guard)} (intent ${String(intentId)})`;
  return `${instrumentId} ${direction} ${quantity}: ${levels.join(', ')} of the ${what}`;
}

/** What becomes of a trigger that no longer waits. */
const OVER = {
  gone: ': it has fired, and its order is about to be reported',
  canceled: ': it is listed for a while, because it may have fired before',
} as const;

/** Describes a trigger with its id at the venue, so that the operator can find it there; without one, with the bot's id. */
function describeTrigger(trigger: BotStatus['triggers'][number]): string {
  const { instrumentId, direction, quantity, level, state, isOrphan, uncovered } = trigger;
  const gap = uncovered === undefined || uncovered === '0' ? '' : `, leaves ${uncovered} uncovered`;
  const left = isOrphan ? ', its position is closed: it would close a later one' : gap;
  const what = state === 'gone' || state === 'canceled' ? OVER[state] : left;
  const id = trigger.triggerId ?? trigger.clientOrderId;
  return `${instrumentId} ${direction} ${quantity}: ${trigger.trigger} ${level}, ${state}${what} (${id})`;
}

function describeWork(work: BotStatus['worked'][number]): string {
  const { side, instrumentId, quantity, unit, filled, arrival, averagePrice } = work;
  const cost =
    averagePrice === undefined || work.shortfallBps === undefined
      ? ''
      : ` at ${averagePrice}, shortfall ${work.shortfallBps.toFixed(2)} bps`;
  return `${side} ${quantity} ${unit} of ${instrumentId}${nameOf(work)}, arrival ${arrival}, ${filled} filled${cost} (intent ${String(work.intentId)})`;
}

function describeWaiting(waiting: BotStatus['waiting'][number]): string {
  const { kind, direction, instrumentId, since, intentId } = waiting;
  return `${kind} ${instrumentId} ${direction}${nameOf(waiting)}, not sent yet, since ${formatUtc(since)} (intent ${String(intentId)})`;
}

function describeCancels({ instrumentId, count }: BotStatus['cancels'][number]): string {
  return `${instrumentId} ${formatNoun(count, 'cancel')} not answered yet`;
}

function describeStream(
  { name, state, lastData }: BotStatus['streams'][number],
  now: EpochMs,
): string {
  return `${name} ${state}, ${lastData === undefined ? 'nothing yet' : `${formatAge(now - lastData)} old`}`;
}

function describeBudget(budget: BotStatus['budgets'][number]): string {
  const { name, used, limit, windowMs, restsUntil } = budget;
  const rest = restsUntil === undefined ? '' : `, paused until ${formatUtc(restsUntil)}`;
  return `${name} ${formatCount(used)} of ${formatCount(limit)} per ${String(windowMs / 1_000)} s${rest}`;
}
