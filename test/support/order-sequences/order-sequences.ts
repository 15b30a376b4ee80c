import fc from 'fast-check';

import { parseFixed, type InstrumentRules, type OrderRequest } from '../../../src/domain/index.js';
import type { EngineSetup } from '../engine/engine.js';
import { OrderManagerBench } from '../engine/order-manager-bench.js';
import { drawnIntents, type IntentTerms } from './drawn-intents.js';
import { SequenceLaws } from './sequence-laws.js';
import type { SequenceProduct } from './sequence-products.js';
import { End, Fill, Pass, Price, Say, Want, type Watched } from './steps.js';
import { VenueModel, type VenueOrder } from './venue-model.js';

/** Terms of a sequence besides its steps. */
export interface SequenceTerms {
  readonly paidIn: 'received' | 'quote';
  readonly remainder: 'cancel' | 'resend';
  readonly rules: Partial<InstrumentRules>;
}

const money = (amount: string): bigint => parseFixed(amount);

/** Limits of the venue; half of them are without a limit. */
const RULES: readonly Partial<InstrumentRules>[] = [
  {},
  {},
  { minOrderMoney: money('20') },
  { maxWorkingOrders: 6, maxMarketQuantity: money('5'), maxLimitQuantity: money('20') },
];

export function sequenceTerms({ instrument }: SequenceProduct): fc.Arbitrary<SequenceTerms> {
  const isPair = instrument.kind !== 'futures';
  return fc.record({
    paidIn: isPair ? fc.constantFrom('received', 'quote') : fc.constant('quote'),
    remainder: fc.constantFrom('cancel', 'resend'),
    rules: fc.constantFrom(...RULES),
  });
}

export function intentTerms({ instrument: { kind } }: SequenceProduct): IntentTerms {
  return { isContract: kind === 'futures', hasShorts: kind !== 'spot' };
}

/** All steps of a strategy, a market and a venue. Intents and fills are more frequent. */
export function sequenceSteps(
  product: SequenceProduct,
): fc.Arbitrary<Iterable<fc.Command<VenueModel, Watched>>> {
  const intents = drawnIntents(intentTerms(product));
  const pick = fc.nat({ max: 20 });
  const move = fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: -300, max: 300 }) },
    fc.integer({ min: -4_000, max: 4_000 }),
  );
  const share = fc.oneof(fc.constant(1_000), fc.integer({ min: 0, max: 999 }));
  const often = <T>(times: number, value: T): readonly T[] =>
    Array.from({ length: times }, () => value);
  return fc.commands(
    [
      ...often(
        6,
        fc.array(intents, { minLength: 1, maxLength: 3 }).map((all) => new Want(all)),
      ),
      ...often(
        3,
        fc.tuple(pick, share, fc.boolean()).map((drawn) => new Fill(...drawn)),
      ),
      ...often(
        2,
        pick.map((at) => new Say(at, 'accept')),
      ),
      ...often(
        2,
        fc
          .tuple(pick, fc.constantFrom('canceled', 'rejected', 'expired'))
          .map(([at, status]) => new End(at, status)),
      ),
      pick.map((at) => new Say(at, 'refuse cancel')),
      pick.map((at) => new Say(at, 'lose')),
      ...often(
        2,
        move.map((by) => new Price('sample', by)),
      ),
      move.map((by) => new Price('candle', by)),
      move.map((by) => new Price('mark', by)),
      fc.integer({ min: 1, max: 3_000 }).map((milliseconds) => new Pass(milliseconds)),
    ],
    { maxCommands: 40, size: 'max' },
  );
}

/** A new bot of one product and a new model of its venue. */
export function aSequence(
  product: SequenceProduct,
  { paidIn, remainder, rules }: SequenceTerms,
): { readonly model: VenueModel; readonly real: Watched } {
  const { instrument, balances, positionMode, equityCurrency } = product;
  const setup: EngineSetup = {
    ...{ balances, positionMode, equityCurrency, remainder, rules },
    instruments: [{ instrument, intervals: ['1min'] }],
    fees: { paidIn },
  };
  const bench = new OrderManagerBench(setup);
  const model = new VenueModel(product, { paidIn, rules });
  return { model, real: { bench, laws: new SequenceLaws(model, bench) } };
}

/** Flattens on a venue that fills marketable orders and ends orders only on request. Throws if an order, a position or an open intent remains. */
export function leave(model: VenueModel, watched: Watched): void {
  const { bench, laws } = watched;
  // A few turns may be needed: quantities per order are limited, and an exit that already works may end unfilled.
  for (let turn = 0; turn < 5 && (turn === 0 || isHeld(model)); turn += 1) flatten(model, watched);
  const left = [...model.working.keys()].join();
  if (left !== '') throw new Error(`expected all orders to end: ${left}`);
  if (isHeld(model) && !isDust(bench)) throw new Error('expected to leave what is held');
  const { open } = laws.ends;
  if (open.length > 0) throw new Error(`expected each intent to end: ${open.join('; ')}`);
  laws.ends.checkOrdersEnded(bench.engine);
}

function flatten(model: VenueModel, watched: Watched): void {
  const { bench, laws } = watched;
  model.last = model.price;
  model.read(bench, bench.want({ kind: 'flatten' }));
  laws.check();
  for (let round = 0; round < 60 && model.working.size > 0; round += 1)
    for (const [id, order] of [...model.working]) answer(model, watched, id, order);
}

function answer(model: VenueModel, watched: Watched, id: string, order: VenueOrder): void {
  const at = [...model.working.keys()].indexOf(id);
  if (at < 0) return;
  const { request, isCancelAsked } = order;
  const fills = isMarketable(request, model.price);
  // IOC and FOK orders do not rest.
  const isOver = request.type === 'limit' && ['IOC', 'FOK'].includes(request.timeInForce);
  if (isCancelAsked || (isOver && !fills)) new End(at, 'canceled').run(model, watched);
  else if (fills) new Fill(at, 1_000, false).run(model, watched);
  else new Say(at, 'accept').run(model, watched);
}

function isMarketable(request: OrderRequest, price: number): boolean {
  if (request.type === 'market') return true;
  const market = parseFixed(String(price));
  return request.side === 'buy' ? request.limitPrice >= market : request.limitPrice <= market;
}

function isHeld(model: VenueModel): boolean {
  return model.directions.some((direction) => model.isHeld(direction));
}

/** Whether the held quantity was found too small for the venue. */
function isDust({ engine }: OrderManagerBench): boolean {
  return engine.checkpoint().sides.some(({ tooSmall }) => tooSmall !== undefined);
}
