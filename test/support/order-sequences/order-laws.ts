import {
  isFinalStatus,
  type Direction,
  type Fixed,
  type Instrument,
  type InstrumentId,
  type PositionMode,
} from '../../../src/domain/index.js';
import type { Engine } from '../../../src/engine/index.js';

type Working = Engine['workingOrders'][number];

/** Throws where two values differ. */
export function expectSame(what: string, expected: unknown, actual: unknown): void {
  if (expected !== actual)
    throw new Error(`${what}: expected ${String(expected)}, received ${String(actual)}`);
}

export interface OrderLawTerms {
  readonly positionMode: PositionMode;
  /** The largest quantity step that is ever in force. A smaller quantity counts as none. @defaultValue the present step */
  readonly largestStep?: (id: InstrumentId) => Fixed;
  /** Largest quantity that closing orders may offer for a held quantity. @defaultValue the held quantity */
  readonly mostToClose?: (id: InstrumentId, direction: Direction, held: Fixed) => Fixed;
}

/**
 * Laws on the orders of an engine after any event, for any venue: orders offer at most the held quantity (unless the venue closed some by
 * force), no exit opens, locked amounts equal the amounts reserved by working orders, and if only one side can be held, the other is not held
 * or entered. Throws if a law is broken.
 */
export function checkOrders(
  engine: Engine,
  instruments: readonly Instrument[],
  { positionMode, largestStep, mostToClose = (_id, _direction, held) => held }: OrderLawTerms,
): void {
  const { workingOrders, portfolio } = engine;
  for (const instrument of instruments) {
    const own = workingOrders.filter(({ request }) => request.instrumentId === instrument.id);
    for (const order of own) checkOrder(order, instrument);
    const account = portfolio.instrument(instrument.id);
    for (const direction of ['long', 'short'] as const) {
      const held = account[direction].holding.quantity;
      expectSame(`${instrument.id}: held ${direction} >= 0`, true, held >= 0n);
      const offered = offeredOf(own, direction);
      if (
        offered > mostToClose(instrument.id, direction, held) &&
        !wasForced(engine, instrument.id)
      )
        throw new Error(`${instrument.id} ${direction}: ${String(offered)} > ${String(held)}`);
    }
    if (!canHoldBoth(instrument, positionMode))
      checkOneSide(engine, own, { id: instrument.id, step: largestStep?.(instrument.id) });
  }
  checkLocks(engine, instruments);
}

function checkOrder(order: Working, { kind }: Instrument): void {
  const { request, remaining, reserved, direction, intent, role, status } = order;
  const id = request.clientOrderId;
  expectSame(`${id} works`, false, isFinalStatus(status));
  expectSame(`${id} counts`, true, remaining >= 0n && reserved >= 0n);
  const opens = request.action === 'open';
  expectSame(`${id} side`, (direction === 'long') === opens ? 'buy' : 'sell', request.side);
  expectSame(`${id} opens`, role === 'entry', opens);
  expectSame(`${id} is of an entry`, intent.kind === 'enter', opens);
  if (kind === 'spot') expectSame(`${id} on spot`, 'long', direction);
}

/** Total quantity that the closing orders of one side can still close. */
export function offeredOf(orders: readonly Working[], of: Direction): Fixed {
  let offered = 0n;
  for (const { request, remaining, direction } of orders)
    if (request.action === 'close' && direction === of) offered += remaining;
  return offered;
}

/** Whether the venue closed something by force. Until the ends of its orders are known, orders may offer more than is held. */
function wasForced({ fills }: Engine, id: InstrumentId): boolean {
  for (const { record, cause } of fills)
    if (cause !== undefined && record.instrumentId === id) return true;
  return false;
}

function canHoldBoth({ kind }: Instrument, positionMode: PositionMode): boolean {
  return kind === 'futures' && positionMode === 'hedge';
}

function checkOneSide(
  { portfolio }: Engine,
  own: readonly Working[],
  { id, step }: { readonly id: InstrumentId; readonly step: Fixed | undefined },
): void {
  const account = portfolio.instrument(id);
  const isHeld = (direction: Direction): boolean => {
    const { isExposed, holding } = account[direction];
    return isExposed && (step === undefined || holding.quantity >= step);
  };
  const isThere = (direction: Direction): boolean =>
    isHeld(direction) ||
    own.some(({ request, direction: side }) => request.action === 'open' && side === direction);
  expectSame(`${id} is held or entered on both sides`, false, isThere('long') && isThere('short'));
}

/** For each asset of each account: the locked amount equals the amounts reserved by its orders, and on spot the free amount is not negative. */
function checkLocks(
  { workingOrders, portfolio }: Engine,
  instruments: readonly Instrument[],
): void {
  const reserved = new Map<string, Fixed>();
  const byId = new Map(instruments.map((instrument) => [instrument.id, instrument]));
  for (const { request, reserved: own } of workingOrders) {
    const instrument = byId.get(request.instrumentId);
    if (instrument === undefined) continue;
    const key = `${instrument.kind} ${paidIn(instrument, request.side)}`;
    reserved.set(key, (reserved.get(key) ?? 0n) + own);
  }
  for (const { kind, base, quote } of instruments)
    for (const asset of [base, quote]) {
      const { free, locked } = portfolio.balance(asset, kind).exact;
      expectSame(`locked ${kind} ${asset}`, reserved.get(`${kind} ${asset}`) ?? 0n, locked);
      if (kind === 'spot') expectSame(`free ${asset} >= 0`, true, free >= 0n);
    }
}

function paidIn(instrument: Instrument, side: 'buy' | 'sell'): string {
  if (instrument.kind === 'futures') return instrument.marginAsset;
  return side === 'buy' ? instrument.quote : instrument.base;
}
