import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createInstrumentId, type ClientOrderId } from '../../../../src/domain/index.js';
import { Clockwork, VenueNews, type VenueCommand } from '../../../../src/simulator/index.js';
import type { VenueUpdate } from '../../../../src/venue/index.js';

const instrumentId = createInstrumentId('spot', 'BTCUSDT');
const LAST = 130;
const ORDERS = ['A', 'B', 'C'] as const;
type Order = (typeof ORDERS)[number];

/** An action at an instant, before or after its poll. */
type Step = { readonly at: number } & (
  | { readonly kind: 'before the poll' | 'after the poll'; readonly order: Order }
  | {
      readonly kind: 'send';
      readonly order: Order;
      readonly delayMs: number;
      /** `true`: the venue answers when a candle opens. `false`: it answers when the command arrives. */
      readonly waits: boolean;
      /** The order that the arrival also affects. Nothing more happens if it is the same order. */
      readonly hits: Order;
    }
  | { readonly kind: 'opens'; readonly hits: Order }
);

type Sent = Extract<Step, { readonly kind: 'send' }>;

interface Happening {
  readonly name: string;
  readonly order: Order;
  readonly time: number;
  readonly isAfterPoll: boolean;
  readonly isAnswer: boolean;
}

const at = fc.nat({ max: 60 });
const order = fc.constantFrom(...ORDERS);
const steps: fc.Arbitrary<readonly Step[]> = fc
  .array(
    fc.oneof(
      fc.record({
        at,
        kind: fc.constant('send' as const),
        order,
        delayMs: fc.nat({ max: 30 }),
        waits: fc.boolean(),
        hits: order,
      }),
      fc.record({
        at,
        kind: fc.constantFrom('before the poll' as const, 'after the poll' as const),
        order,
      }),
      fc.record({ at, kind: fc.constant('opens' as const), hits: order }),
    ),
    { maxLength: 14 },
  )
  .map((drawn) => drawn.sort((a, b) => a.at - b.at));

/** A venue that carries out the steps, and its trader. `goesOn` returns the next instant to visit. */
class Play {
  readonly told: string[] = [];
  readonly arrived: Sent[] = [];
  readonly happened: Happening[] = [];
  readonly #steps: readonly Step[];
  readonly #clockwork: Clockwork<VenueCommand>;
  readonly #waiting = new Set<Order>();
  #delayMs = 0;
  #now = 0;
  #isAfterPoll = false;

  constructor(drawn: readonly Step[], updatePollMs: number) {
    this.#steps = drawn;
    this.#clockwork = new Clockwork({
      venue: {
        submit: () => undefined,
        submitConditional: () => undefined,
        cancel: (id) => {
          this.#arrive(id);
        },
      },
      latency: { delayMs: () => this.#delayMs },
      updatePollMs,
    });
  }

  run(goesOn: (now: number, next: number) => number): this {
    const { news } = this.#clockwork;
    while (this.#now <= LAST) {
      const present = this.#steps.filter((step) => step.at === this.#now);
      this.#isAfterPoll = false;
      for (const step of present) if (step.kind === 'before the poll') this.#happen(step.order);
      news.endPoll(this.#now);
      this.#learn();
      this.#isAfterPoll = true;
      for (const step of present) this.#take(step);
      this.#carryOut();
      const next = goesOn(this.#now, this.#next());
      if (next <= this.#now) throw new Error(`time stands at ${String(next)}`);
      this.#now = next;
    }
    expect(this.#clockwork.isQuiet).toBe(true);
    expect(news.take(Number.POSITIVE_INFINITY)).toBeUndefined();
    return this;
  }

  #next(): number {
    const step = this.#steps.find(({ at: time }) => time > this.#now);
    return Math.min(step?.at ?? Number.POSITIVE_INFINITY, this.#clockwork.nextTime());
  }

  #take(step: Step): void {
    if (step.kind === 'after the poll') this.#happen(step.order);
    if (step.kind === 'send') {
      this.#delayMs = step.delayMs;
      const clientOrderId = step.order as ClientOrderId;
      const command = { kind: 'cancel', clientOrderId, instrumentId } as const;
      expect(this.#clockwork.travel.send(command, this.#now)).toBe(this.#now + step.delayMs);
    }
    if (step.kind !== 'opens') return;
    const answered = [...this.#waiting];
    this.#waiting.clear();
    for (const waiting of answered) this.#happen(waiting, true);
    this.#happen(step.hits, answered.includes(step.hits));
    this.#clockwork.news.endAnswers();
    this.#learn();
  }

  #carryOut(): void {
    const { travel } = this.#clockwork;
    while (travel.nextArrival() <= this.#now) {
      this.#clockwork.carryOutNext(this.#now);
      this.#learn();
    }
  }

  /** Commands about one order are equal, so this takes the first one that has not arrived. */
  #arrive(id: string): void {
    const step = inOrderOfArrival(this.#steps).find(
      (sent) => sent.order === id && !this.arrived.includes(sent),
    );
    if (step === undefined) throw new Error(`nobody has sent a command about ${id}`);
    expect(this.#now).toBe(step.at + step.delayMs);
    this.arrived.push(step);
    if (step.waits) this.#waiting.add(step.order);
    else {
      this.#waiting.delete(step.order);
      this.#happen(step.order, true);
    }
    if (step.hits !== step.order) this.#happen(step.hits);
  }

  #happen(to: Order, isAnswer = false): void {
    // While an order waits for its answer, nothing else happens to it.
    if (!isAnswer && this.#waiting.has(to)) return;
    const [name, isAfterPoll] = [String(this.happened.length), this.#isAfterPoll];
    this.happened.push({ name, order: to, time: this.#now, isAfterPoll, isAnswer });
    this.#clockwork.news.note({
      kind: 'ended',
      clientOrderId: to as ClientOrderId,
      status: 'canceled',
      reason: { code: name, text: '' },
      eventTime: this.#now,
    });
  }

  #learn(): void {
    const { news } = this.#clockwork;
    for (let known = news.take(this.#now); known; known = news.take(this.#now))
      this.told.push(`${nameOf(known)} at ${String(this.#now)}`);
  }
}

function inOrderOfArrival(drawn: readonly Step[]): readonly Sent[] {
  return drawn
    .filter((step) => step.kind === 'send')
    .sort((a, b) => a.at + a.delayMs - (b.at + b.delayMs));
}

function nameOf(update: VenueUpdate): string {
  return update.kind === 'ended' ? update.reason.code : update.kind;
}

/** DESIGN R2: an answer is known at once. Any other event is known at the next poll, or at an earlier answer about the same order. */
function knownAt(one: Happening, all: readonly Happening[], pollMs: number): number {
  if (one.isAnswer) return one.time;
  const first = one.isAfterPoll ? one.time + 1 : one.time;
  const later = all
    .slice(all.indexOf(one))
    .filter((other) => other.isAnswer && other.order === one.order);
  return Math.min(Math.ceil(first / pollMs) * pollMs, ...later.map(({ time }) => time));
}

describe('VenueNews', () => {
  const aFill = (order: string, symbol: string, eventTime: number): VenueUpdate => {
    const clientOrderId = order as ClientOrderId;
    const fill = {
      clientOrderId,
      instrumentId: createInstrumentId('spot', symbol),
      side: 'buy',
      action: 'open',
      price: 1n,
      quantity: 1n,
      fee: 0n,
      feeAsset: 'USDT',
      liquidity: 'taker',
      eventTime,
    } as const;
    return { kind: 'fill', clientOrderId, fill, isFilled: true, eventTime };
  };

  it('reports an earlier fill of the same instrument before an answer, and a fill of another at the next poll', () => {
    const news = new VenueNews(10);
    news.note(aFill('A', 'BTCUSDT', 11));
    news.note(aFill('B', 'ETHUSDT', 12));
    news.ask('C' as ClientOrderId);
    news.note(aFill('C', 'BTCUSDT', 13));
    news.endArrival();

    const told: string[] = [];
    for (const time of [13, 20])
      for (let known = news.take(time); known; known = news.take(time))
        if (known.kind === 'fill') told.push(`${known.clientOrderId} at ${String(time)}`);

    expect(told).toEqual(['A at 13', 'C at 13', 'B at 20']);
  });

  it('reports a forced close before the answer of a later fill of its contract, and another at the next poll', () => {
    const news = new VenueNews(10);
    const aClose = (id: string, symbol: string, eventTime: number): VenueUpdate => {
      const closed = aFill(id, symbol, eventTime);
      if (closed.kind !== 'fill') throw new Error('expected a fill');
      const { fill } = closed;
      return { kind: 'forced-fill', cause: 'liquidation', fill, insurance: 0n, eventTime };
    };
    news.note(aClose('liquidation-1', 'BTCUSDT', 11));
    news.note(aClose('liquidation-2', 'ETHUSDT', 11));
    news.ask('C' as ClientOrderId);
    news.note(aFill('C', 'BTCUSDT', 11));
    news.endArrival();

    const told: string[] = [];
    for (const time of [11, 20])
      for (let known = news.take(time); known; known = news.take(time))
        if (known.kind === 'fill' || known.kind === 'forced-fill')
          told.push(`${known.fill.clientOrderId} at ${String(time)}`);

    expect(told).toEqual(['liquidation-1 at 11', 'C at 11', 'liquidation-2 at 20']);
  });

  it('reports funding at the next poll, also after the answer of a later fill of its contract', () => {
    const news = new VenueNews(7);
    news.note({
      kind: 'funding',
      instrumentId: createInstrumentId('futures', 'E-BTC-USDT'),
      direction: 'long',
      asset: 'USDT',
      amount: -1n,
      rate: 1n,
      markPrice: 1n,
      eventTime: 10,
    });
    news.ask('C' as ClientOrderId);
    news.note(aFill('C', 'E-BTC-USDT', 12));
    news.endArrival();

    const told: string[] = [];
    for (const time of [12, 14])
      for (let known = news.take(time); known; known = news.take(time))
        told.push(`${known.kind} at ${String(time)}`);

    expect(told).toEqual(['fill at 12', 'funding at 14']);
  });
});

describe('Clockwork', () => {
  it('reports an answer at once with earlier updates of its order, and others at the next poll, each once', () => {
    fc.assert(
      fc.property(steps, fc.constantFrom(1, 4, 7), (drawn, pollMs) => {
        const { told, happened } = new Play(drawn, pollMs).run((now) => now + 1);
        const byHand = happened.map(
          (one) => `${one.name} at ${String(knownAt(one, happened, pollMs))}`,
        );

        expect(told.toSorted()).toEqual(byHand.toSorted());
        for (const each of ORDERS) {
          const ofOrder = new Set(
            happened.filter((one) => one.order === each).map((one) => one.name),
          );
          const names = told.map((line) => line.split(' ')[0] ?? '');
          expect(names.filter((name) => ofOrder.has(name))).toEqual([...ofOrder]);
        }
      }),
    );
  });

  it('does the same if only the times of nextTime are visited', () => {
    fc.assert(
      fc.property(steps, fc.constantFrom(1, 4, 7), (drawn, pollMs) => {
        const stepped = new Play(drawn, pollMs).run((now) => now + 1);
        const jumped = new Play(drawn, pollMs).run((_now, next) => next);

        expect(jumped.told).toEqual(stepped.told);
        expect(jumped.arrived).toEqual(stepped.arrived);
      }),
    );
  });

  it('delivers commands by time of arrival, then in the order of sending', () => {
    fc.assert(
      fc.property(steps, (drawn) => {
        const { arrived } = new Play(drawn, 4).run((now) => now + 1);
        expect(arrived).toEqual(inOrderOfArrival(drawn));
      }),
    );
  });
});
