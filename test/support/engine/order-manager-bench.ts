import {
  FIXED_ONE,
  formatFixed,
  multiplyFixed,
  parseFixed,
  type Candle,
  type ClientOrderId,
  type Direction,
  type EpochMs,
  type ForcedCause,
  type Instrument,
  type Order,
  type OrderIntent,
  type OrderRequest,
  type VenueOrderId,
} from '../../../src/domain/index.js';
import type { Command, Engine, WaitingIntent } from '../../../src/engine/index.js';
import { readCheckpoint, writeCheckpoint } from '../../../src/journal/checkpoint-text.js';
import { CandleStrategy, type OrderHandle, type Verdict } from '../../../src/strategy/index.js';
import type { AccountUpdate, OrderUpdate } from '../../../src/venue/index.js';
import { line, SPOT } from '../risk/builders.js';
import { aMinute, aStartedEngine, closing, passing, START, type EngineSetup } from './engine.js';

/**
 * An engine between a test and a scripted venue. The test gives the intents of the strategy and the answers of the venue, and reads the
 * resulting commands. Time moves only with {@link OrderManagerBench.pass}.
 */
export class OrderManagerBench {
  readonly engine: Engine;
  /** Verdicts that the strategy received, oldest first. */
  readonly verdicts: Verdict[] = [];
  readonly changes: Order[] = [];
  /** Called with each intent when it is raised, before risk judges it. */
  onRaised: ((handle: OrderHandle, intent: OrderIntent) => void) | undefined;
  /** The instrument that is traded: the first. */
  readonly instrument: Instrument;
  readonly #setup: EngineSetup;
  readonly #wants: (() => OrderIntent)[] = [];
  readonly #requests = new Map<string, OrderRequest>();
  readonly #answers: OrderIntent[] = [];
  #raised: number[] = [];
  #price = 100;
  #time: EpochMs = START;

  constructor(setup: EngineSetup = {}) {
    const { verdicts, changes } = this;
    const answers = this.#answers;
    const instrument = setup.instruments?.[0]?.instrument ?? SPOT;
    this.instrument = instrument;
    this.#setup = setup;
    const take = (): (() => OrderIntent)[] => this.#wants.splice(0);
    const note = (handle: OrderHandle, intent: OrderIntent): void => {
      this.#raised.push(handle.intentId);
      this.onRaised?.(handle, intent);
    };
    class Scripted extends CandleStrategy({}) {
      override onCandle(candle: Candle): void {
        if (candle.instrumentId !== instrument.id) return;
        for (const want of take()) {
          const intent = want();
          note(this.handleOf(this.raise(intent)), intent);
        }
      }
      override onVerdict(verdict: Verdict): void {
        verdicts.push(verdict);
      }
      override onOrder(order: Order): void {
        changes.push(order);
        for (const intent of answers.splice(0)) this.raise(intent);
      }
    }
    this.engine = aStartedEngine(Scripted, setup);
  }

  /** A bench that continues from this bench's checkpoint, after writing, changing and reading it. */
  restart(change: (text: string) => string = (text) => text): OrderManagerBench {
    const checkpoint = readCheckpoint(change(writeCheckpoint(this.engine.checkpoint())));
    const next = new OrderManagerBench({ ...this.#setup, checkpoint });
    for (const [id, request] of this.#requests) next.#requests.set(id, request);
    next.#price = this.#price;
    next.#time = this.#time;
    return next;
  }

  /** Delivers a candle at the last price, on which the strategy raises these intents. Returns the commands, one line each. */
  want(...intents: readonly OrderIntent[]): readonly string[] {
    this.#wants.push(...intents.map((intent) => () => intent));
    return this.candle(this.#price);
  }

  /** Like {@link want}, but each intent is made from the numbers of the intents raised before it in the same event. */
  wantInTurn(...makes: readonly ((raised: readonly number[]) => OrderIntent)[]): readonly string[] {
    this.#wants.push(...makes.map((make) => () => make(this.#raised)));
    return this.candle(this.#price);
  }

  /** The strategy raises this intent when it is told of the next change of an order. */
  raiseOnNextOrder(intent: OrderIntent): void {
    this.#answers.push(intent);
  }

  /** A candle closes at a price. */
  candle(price: number, overrides: Partial<Candle> = {}): readonly string[] {
    this.#price = price;
    this.#raised = [];
    const { id: instrumentId } = this.instrument;
    const minute = aMinute(0, { instrumentId, close: price, ...overrides });
    const candle = { ...minute, closeTime: this.#time };
    return this.#read(this.engine.process(closing(candle)));
  }

  /** Last is sampled. */
  sample(price: string): readonly string[] {
    return this.#read(
      this.engine.process({
        kind: 'ticker',
        time: this.#time,
        instrumentId: this.instrument.id,
        last: parseFixed(price),
      }),
    );
  }

  /** What failed is tried again, as live some time after it failed. */
  retry(): readonly string[] {
    const instrumentId = this.instrument.id;
    return this.#read(this.engine.process({ kind: 'stops', time: this.#time, instrumentId }));
  }

  /** Time passes. */
  pass(milliseconds: number): readonly string[] {
    this.#time += milliseconds;
    return this.#read(this.engine.process(passing(this.#time)));
  }

  accept(id: string): readonly string[] {
    return this.update(id, { kind: 'accepted', venueOrderId: `venue-${id}` as VenueOrderId });
  }

  /** Fills a quantity in base; by default at the limit of the order, or at 100. `feeAsset` decides whether the fee is in base or quote. */
  fill(id: string, quantity: string, terms: FillTerms = {}): readonly string[] {
    const request = this.request(id);
    const price =
      terms.price !== undefined
        ? parseFixed(terms.price)
        : request.type === 'limit'
          ? request.limitPrice
          : parseFixed('100');
    const amount = parseFixed(quantity);
    const order = this.engine.workingOrders.find(
      ({ request: { clientOrderId } }) => clientOrderId === id,
    );
    const { instrument } = this;
    const size = instrument.kind === 'futures' ? instrument.multiplier : FIXED_ONE;
    const money = multiplyFixed(multiplyFixed(price, amount), size);
    const done = request.unit === 'quote' ? money : amount;
    return this.update(id, {
      kind: 'fill',
      isFilled: terms.isFilled ?? done === order?.remaining,
      fill: {
        clientOrderId: request.clientOrderId,
        instrumentId: request.instrumentId,
        side: request.side,
        action: request.action,
        price,
        quantity: amount,
        fee: parseFixed(terms.fee ?? '0'),
        feeAsset: terms.feeAsset ?? 'USDT',
        liquidity: 'taker',
        eventTime: this.#time,
      },
    });
  }

  end(id: string, status: 'canceled' | 'rejected' | 'expired' = 'canceled'): readonly string[] {
    return this.update(id, { kind: 'ended', status, reason: { code: '0', text: 'as scripted' } });
  }

  refuseCancel(id: string): readonly string[] {
    return this.update(id, {
      kind: 'cancel-rejected',
      reason: { code: '-2013', text: 'as scripted' },
    });
  }

  /** The call about the order got no answer. */
  lose(id: string): readonly string[] {
    return this.update(id, {
      kind: 'outcome-unknown',
      reason: { code: '-1006', text: 'as scripted' },
    });
  }

  update(
    id: string,
    update: DistributiveOmit<OrderUpdate, 'clientOrderId' | 'eventTime'>,
  ): readonly string[] {
    return this.#read(
      this.engine.process({
        kind: 'venue',
        time: this.#time,
        update: { ...update, clientOrderId: id as ClientOrderId, eventTime: this.#time },
      }),
    );
  }

  request(id: string): OrderRequest {
    const request = this.#requests.get(id);
    if (request === undefined) throw new Error(`expected an order ${id} to have been sent`);
    return request;
  }

  /** The checks that refused, oldest first. */
  get refusals(): readonly string[] {
    return this.verdicts.flatMap(({ decision }) =>
      decision.kind === 'refused' ? [decision.refusal.check] : [],
    );
  }

  get waiting(): readonly WaitingIntent[] {
    return this.engine.waitingIntents;
  }

  /** The last verdict: `approved`, or the check that refused. */
  get verdict(): string | undefined {
    const decision = this.verdicts.at(-1)?.decision;
    return decision?.kind === 'refused' ? decision.refusal.check : decision?.kind;
  }

  status(id: string): string | undefined {
    return [...this.engine.orders].find(({ request }) => request.clientOrderId === id)?.status;
  }

  /** Ids and statuses of the orders that may still fill. */
  get working(): readonly string[] {
    return this.engine.workingOrders.map(
      ({ request, status }) => `${request.clientOrderId} ${status}`,
    );
  }

  free(asset: string): string {
    return formatFixed(this.engine.portfolio.free(asset));
  }

  held(direction: Direction = 'long'): string {
    const account = this.engine.portfolio.instrument(this.instrument.id);
    return formatFixed(account[direction].holding.quantity);
  }

  /** Sets the mark price of the contract. */
  mark(price: number): readonly string[] {
    const marks = [{ instrumentId: this.instrument.id, price }];
    return this.#read(this.engine.process({ kind: 'marks', time: this.#time, marks }));
  }

  /** Delivers an update of the account at the current time. */
  account(update: DistributiveOmit<AccountUpdate, 'eventTime'>): readonly string[] {
    return this.#read(
      this.engine.process({
        kind: 'venue',
        time: this.#time,
        update: { ...update, eventTime: this.#time },
      }),
    );
  }

  /** The venue closes contracts of one side by force, as order `forced`. */
  force(
    direction: Direction,
    quantity: string,
    terms: {
      readonly price?: string;
      readonly insurance?: string;
      readonly cause?: ForcedCause;
    } = {},
  ): readonly string[] {
    return this.account({
      kind: 'forced-fill',
      cause: terms.cause ?? 'liquidation',
      insurance: parseFixed(terms.insurance ?? '0'),
      fill: {
        clientOrderId: 'forced' as ClientOrderId,
        instrumentId: this.instrument.id,
        side: direction === 'long' ? 'sell' : 'buy',
        action: 'close',
        price: parseFixed(terms.price ?? '100'),
        quantity: parseFixed(quantity),
        fee: 0n,
        feeAsset: 'USDT',
        liquidity: 'taker',
        eventTime: this.#time,
      },
    });
  }

  /** The data is over. */
  endData(): readonly string[] {
    return this.#read(this.engine.process({ kind: 'end', time: this.#time }));
  }

  #read(commands: readonly Command[]): readonly string[] {
    return commands.map((command) => {
      if (command.kind === 'cancel') return `cancel ${command.clientOrderId}`;
      this.#requests.set(command.order.clientOrderId, command.order);
      return `${command.order.clientOrderId}: ${line(command.order)}`;
    });
  }
}

interface FillTerms {
  readonly price?: string;
  readonly fee?: string;
  readonly feeAsset?: string;
  /** @defaultValue true if nothing remains */
  readonly isFilled?: boolean;
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** A bench whose strategy has bought 1 BTC at 100, as order `test-1-0-0`. */
export function aHolder(setup: EngineSetup = {}, terms: object = {}): OrderManagerBench {
  const bench = new OrderManagerBench(setup);
  bench.want({ kind: 'enter', direction: 'long', size: { quantity: '1' }, ...terms });
  bench.fill('test-1-0-0', '1', { price: '100' });
  return bench;
}
