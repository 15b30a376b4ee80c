import { map, type Observable } from 'rxjs';
import { expect, it } from 'vitest';
import { MINUTE_MS, parseFixed, type OrderIntent } from '../../../../src/domain/index.js';
import {
  Bookkeeper,
  startingCheckpoint,
  type EngineEvent,
  type Journal,
  type JournalEntry,
} from '../../../../src/engine/index.js';
import { enterLong, Strategy, type Market } from '../../../../src/strategy/index.js';
import { aMinute, anEngine, closing, someOptions, START } from '../../../support/engine/engine.js';
import { aFillRecord } from '../../../support/engine/portfolio.js';
import { SPOT } from '../../../support/risk/builders.js';

/** Enters at each last price, with a stop. */
class Guarded extends Strategy({}) {
  override readonly warmup = 1;

  override intents(market: Market): Observable<OrderIntent> {
    return market
      .ticker$()
      .pipe(map(() => enterLong({ quantity: '1' }, { protection: { stopLoss: { price: '90' } } })));
  }
}

it('rebuilds the stop of an entry that was made before the account was opened', () => {
  const entries: JournalEntry[] = [];
  const journal: Journal = {
    append: (event, commands, intents) => entries.push({ event, commands, intents }),
  };
  const engine = anEngine(Guarded, { servesReadings: true, journal });
  engine.construct();
  engine.start(START);
  const time = START + MINUTE_MS + 1_000;
  const last = { instrumentId: SPOT.id, last: 100, high: 101, low: 99, volume: 1, open: 100, time };
  const reading: EngineEvent = { kind: 'reading', time, reading: { kind: 'ticker', ...last } };

  engine.process(closing(aMinute(1)));
  const [command] = engine.process(reading);
  if (command?.kind !== 'submit') throw new Error('expected an order');
  const { clientOrderId } = command.order;
  const fill = { ...aFillRecord({}), clientOrderId, eventTime: time };
  const update = { kind: 'fill', clientOrderId, fill, isFilled: true, eventTime: time } as const;
  engine.process({ kind: 'venue', time, update });

  const balances = { spot: new Map([['USDT', parseFixed('10000')]]) };
  const keeper = new Bookkeeper(someOptions(Guarded), {
    constructed: START,
    started: START,
    checkpoint: startingCheckpoint(balances),
  });
  for (const entry of entries) keeper.take(entry);

  expect(keeper.checkpoint().sides[0]?.guard).toBeDefined();
  expect(keeper.checkpoint()).toEqual(engine.checkpoint());
});
