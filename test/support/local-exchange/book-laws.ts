import {
  closeTimeOf,
  multiplyFixed,
  parseFixed,
  present,
  type Asset,
  type CandleColumns,
  type EpochMs,
  type Fixed,
  type InstrumentId,
} from '../../../src/domain/index.js';
import { SimulatedAccount } from '../../../src/local-exchange/accounts/simulated-account.js';
import type { VenueOrder, VenueTrade } from '../../../src/venue/index.js';
import type { TakenCondition, TradedMarket, TraderBook } from './random-traders.js';
import { FUTURES_ID, MARGIN_ID, SPOT_ID, type TestExchange } from './test-exchange.js';

const IDS: Readonly<Record<TradedMarket, InstrumentId>> = {
  spot: SPOT_ID,
  margin: MARGIN_ID,
  futures: FUTURES_ID,
};

/** Counts of the states that the checks found. A test checks that they are not 0: otherwise it proves nothing. */
export interface Met {
  orders: number;
  trades: number;
  fired: number;
  waiting: number;
  liquidated: number;
  called: number;
  ended: number;
}

interface Checked {
  readonly account: SimulatedAccount;
  readonly book: TraderBook;
  readonly now: EpochMs;
  readonly flaws: string[];
  readonly met: Met;
}

export function nothingMet(): Met {
  return { orders: 0, trades: 0, fired: 0, waiting: 0, liquidated: 0, called: 0, ended: 0 };
}

/**
 * Checks an account of the exchange against its trader's book, and returns a sentence for each broken law:
 *
 * - every acknowledged order is listed exactly once; all other orders come from fired conditions or from the exchange itself;
 * - a condition has fired if and only if the price has reached its level, and once;
 * - the executions of an order add up to its filled quantity;
 * - each wallet holds its start plus the amounts that the executions moved, to the last decimal.
 *
 * `isFree`: loans cost no interest, so the margin wallet follows from its executions alone.
 */
export function findFlaws(
  test: TestExchange,
  book: TraderBook,
  { isFree, met }: { readonly isFree: boolean; readonly met: Met },
): readonly string[] {
  const { accounts, marketTime } = test.exchange.parts;
  const holder = present(accounts.byUser(book.settings.userId), 'an account');
  if (!(holder.account instanceof SimulatedAccount)) throw new Error('expected an account');
  const now = marketTime.now();
  const checked = { account: holder.account, book, now, flaws: [] as string[], met };
  for (const market of ['spot', 'margin', 'futures'] as const) checkOrders(checked, market);
  checkConditions(checked);
  checkSpot(checked);
  checkMargin(checked, isFree);
  checkFutures(checked);
  return checked.flaws.map((flaw) => `${book.settings.name}: ${flaw}`);
}

function expectEqual(flaws: string[], what: string, actual: Fixed, expected: Fixed): void {
  if (actual !== expected)
    flaws.push(`${what}: expected ${String(expected)}, received ${String(actual)}`);
}

function sum<T>(rows: readonly T[], amount: (row: T) => Fixed): Fixed {
  return rows.reduce((total, row) => total + amount(row), 0n);
}

function checkOrders({ account, book, now, flaws, met }: Checked, market: TradedMarket): void {
  const id = IDS[market];
  const trades = account.trades(id, now);
  const orders = account.orders(id, now);
  met.orders += orders.length;
  met.trades += trades.length;
  const known = new Set(book.orders[market]);
  if (known.size !== book.orders[market].length) flaws.push(`${market}: an id was given twice`);
  const listed = new Set<string>(orders.map(({ venueOrderId }) => venueOrderId));
  if (listed.size !== orders.length) flaws.push(`${market}: an order is listed twice`);
  for (const orderId of known)
    if (!listed.has(orderId)) flaws.push(`${market}: ${orderId} is lost`);
  for (const order of orders) {
    if (known.has(order.venueOrderId)) continue;
    const isForced = order.clientOrderId === undefined;
    if (isForced && market === 'futures') met.liquidated += 1;
    else if (isForced && market === 'margin') met.called += 1;
    else if (!isFired(order, book)) flaws.push(`${market}: nobody placed ${order.venueOrderId}`);
  }
  checkExecutions(orders, trades, flaws);
  const working = new Set(account.openOrders(id, now).map(({ venueOrderId }) => venueOrderId));
  for (const { status, venueOrderId } of orders) {
    const isWorking = status === 'open' || status === 'partially-filled';
    if (isWorking !== working.has(venueOrderId))
      flaws.push(`${venueOrderId} is ${status} elsewhere`);
  }
}

function isFired({ clientOrderId }: VenueOrder, { conditions }: TraderBook): boolean {
  return conditions.some((condition) => condition.clientOrderId === clientOrderId);
}

function checkExecutions(
  orders: readonly VenueOrder[],
  trades: readonly VenueTrade[],
  flaws: string[],
): void {
  const filled = new Map<string, Fixed>();
  for (const { venueOrderId, quantity } of trades)
    filled.set(venueOrderId, (filled.get(venueOrderId) ?? 0n) + quantity);
  for (const { venueOrderId, filledQuantity, status, quantity } of orders) {
    expectEqual(flaws, `filled of ${venueOrderId}`, filledQuantity, filled.get(venueOrderId) ?? 0n);
    filled.delete(venueOrderId);
    if (status === 'partially-filled' && filledQuantity >= quantity)
      flaws.push(`${venueOrderId} has filled and works on`);
  }
  for (const orderId of filled.keys()) flaws.push(`executions of no order: ${orderId}`);
  const ids = new Set(trades.map(({ venueTradeId }) => venueTradeId));
  if (ids.size !== trades.length) flaws.push('an execution is listed twice');
}

/** Whether the path touched a level since an instant. 'yes' needs a candle that opened later; a candle that overlaps the instant gives 'perhaps'. */
function isTouched(
  condition: TakenCondition,
  { openTime, high, low }: CandleColumns,
  now: EpochMs,
): 'yes' | 'no' | 'perhaps' {
  const { fires, level, time } = condition;
  let touched: 'yes' | 'no' | 'perhaps' = 'no';
  for (let row = 0; row < openTime.length; row += 1) {
    const opened = openTime[row] ?? Number.NaN;
    const closed = closeTimeOf(opened, '1min');
    if (closed <= time || opened > now) continue;
    const reaches = fires === 'below' ? (low[row] ?? 0) <= level : (high[row] ?? 0) >= level;
    if (!reaches) continue;
    if (opened > time && closed <= now) return 'yes';
    touched = 'perhaps';
  }
  return touched;
}

function checkConditions({ account, book, now, flaws, met }: Checked): void {
  const orders = account.orders(FUTURES_ID, now);
  const columns = account.venue.market(FUTURES_ID).source.rows.whole();
  for (const condition of book.conditions) {
    const fired = orders.filter(({ clientOrderId }) => clientOrderId === condition.clientOrderId);
    if (fired.length > 1) flaws.push(`${condition.clientOrderId} has fired twice`);
    const touched = isTouched(condition, columns, now);
    if (touched === 'yes' && fired.length === 0) flaws.push(`${condition.clientOrderId} is lost`);
    if (touched === 'no' && fired.length > 0)
      flaws.push(`${condition.clientOrderId} has fired too early`);
    if (fired.length === 0) met.waiting += 1;
    else met.fired += 1;
  }
}

/** Net amount of an asset that the executions on a pair moved, after fees. */
function movedBy(trades: readonly VenueTrade[], asset: Asset): Fixed {
  return sum(trades, ({ side, price, quantity, fee, feeAsset }) => {
    const sign = side === 'buy' ? 1n : -1n;
    const moved = asset === 'BTC' ? quantity * sign : -multiplyFixed(price, quantity) * sign;
    return moved - (feeAsset === asset ? fee : 0n);
  });
}

function startOf({ settings }: TraderBook, market: TradedMarket, asset: Asset): Fixed {
  return parseFixed(settings.balances[market][asset] ?? '0');
}

function checkSpot({ account, book, now, flaws }: Checked): void {
  const trades = account.trades(SPOT_ID, now);
  for (const { asset, exact } of account.spot(now).balances) {
    const expected = startOf(book, 'spot', asset) + movedBy(trades, asset);
    expectEqual(flaws, `spot ${asset}`, exact.free + exact.locked, expected);
    if (exact.free < 0n || exact.locked < 0n) flaws.push(`spot ${asset} is below 0`);
  }
}

function checkMargin({ account, book, now, flaws }: Checked, isFree: boolean): void {
  const ledger = account.venue.accounts.margin?.ledger;
  if (ledger === undefined) return;
  const trades = account.trades(MARGIN_ID, now);
  for (const [asset, residual] of ledger.residual()) {
    expectEqual(flaws, `residual of margin ${asset}`, residual, 0n);
    const insured = ledger.insured(asset);
    const posted = startOf(book, 'margin', asset) + movedBy(trades, asset) + insured;
    const interest = posted - ledger.net(asset);
    if (isFree ? interest !== 0n : interest < 0n)
      flaws.push(`margin ${asset}: ${String(interest)} is neither executions nor interest`);
    if (ledger.free(asset) < 0n || ledger.locked(asset) < 0n)
      flaws.push(`margin ${asset} is below 0`);
  }
}

/** The futures wallet holds its start plus results minus fees. The exchange bears a loss beyond the margin. */
function checkFutures({ account, book, now, flaws, met }: Checked): void {
  const ledger = account.venue.accounts.futures?.ledger;
  if (ledger === undefined) return;
  const trades = account.trades(FUTURES_ID, now);
  const profits = account.profits(FUTURES_ID, now);
  met.ended += profits.length;
  if (profits.length !== ledger.ended.length) flaws.push('a position ended without a result');
  for (const entry of account.futures(now).accounts) {
    expectEqual(flaws, 'residual of futures', ledger.residual('USDT'), 0n);
    const running = sum(entry.positions, ({ totalRealizedProfit = 0n }) => totalRealizedProfit);
    const results = sum(profits, ({ totalProfit }) => totalProfit) + running;
    const expected = startOf(book, 'futures', 'USDT') + results;
    const insured = ledger.balance('USDT') - expected;
    const isForced = account
      .orders(FUTURES_ID, now)
      .some((order) => order.clientOrderId === undefined);
    if (isForced ? insured < 0n : insured !== 0n)
      flaws.push(`futures: ${String(insured)} is no result of a position`);
    const paid = sum(profits, ({ tradeFee }) => tradeFee);
    const pending = sum(entry.positions, ({ tradeFee = 0n }) => tradeFee);
    expectEqual(
      flaws,
      'fees of contracts',
      -(paid + pending),
      sum(trades, ({ fee }) => fee),
    );
    if (book.settings.marginMode !== 'isolated') continue;
    const isolated = sum(entry.positions, ({ margin, realizedProfit }) => margin + realizedProfit);
    const shown = entry.available + entry.locked + isolated;
    expectEqual(flaws, 'the futures account as shown', shown, ledger.balance('USDT'));
  }
}
