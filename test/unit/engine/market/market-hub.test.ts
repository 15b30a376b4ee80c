import { Subscription, take } from 'rxjs';
import { describe, expect, it } from 'vitest';

import { createInstrumentId, type Candle } from '../../../../src/domain/index.js';
import { MarketHub } from '../../../../src/engine/market/market-hub.js';
import { hasStrays, sma } from '../../../../src/strategy/index.js';
import { failureOf } from '../../../support/failure.js';
import { MARGIN, SPOT } from '../../../support/risk/builders.js';
import { aMinute, aSpot } from '../../../support/engine/engine.js';

const ETH = aSpot('ETH');

function aHub(): MarketHub {
  return new MarketHub([
    { instrumentId: SPOT.id, intervals: ['1h', '1min'] },
    { instrumentId: MARGIN.id, intervals: ['1min'] },
    { instrumentId: ETH.id, intervals: ['1min'] },
  ]);
}

function deliver(hub: MarketHub, candles: readonly Candle[]): void {
  for (const candle of candles) hub.deliver(hub.streamOf(candle), 0, candle, hub.isWarm);
}

const minute = aMinute(1);
const hour = { ...minute, interval: '1h' as const };

describe('resolveInstrument', () => {
  it.each([
    { name: undefined, id: 'spot:BTCUSDT' },
    { name: 'margin:BTCUSDT', id: 'margin:BTCUSDT' },
    { name: 'ETHUSDT', id: 'spot:ETHUSDT' },
  ])('resolves $name to $id', ({ name, id }) => {
    expect(aHub().resolveInstrument(name)).toBe(id);
  });

  it.each(['BTCUSDT', 'THUSDT', 'spot:', ''])('refuses "%s", which has no clear match', (name) => {
    const failure = failureOf(() => aHub().resolveInstrument(name));

    expect(failure).toMatchObject({ code: 'E_INSTRUMENT_UNKNOWN' });
    expect(failure.message).toContain('spot:BTCUSDT, margin:BTCUSDT, spot:ETHUSDT');
  });
});

describe('candles$', () => {
  it('is by default the first interval of the first instrument', () => {
    const hub = aHub();
    const seen: string[] = [];
    hub.candles$().subscribe(({ interval }) => seen.push(interval));
    hub.beginWarmup({ minimum: 0 });

    deliver(hub, [hour, minute]);

    expect(seen).toEqual(['1h']);
  });

  it('gives a late subscriber neither earlier candles nor the candle in delivery', () => {
    const hub = aHub();
    const seen: string[] = [];
    const candles$ = hub.candles$('spot:BTCUSDT', '1min');
    candles$.pipe(take(1)).subscribe(() => {
      seen.push('first');
      // eslint-disable-next-line rxjs-x/no-nested-subscribe -- what it means to come late
      candles$.subscribe(() => seen.push('late'));
    });
    hub.beginWarmup({ minimum: 0 });

    deliver(hub, [minute]);
    const first = [...seen];
    deliver(hub, [minute]);

    expect(first).toEqual(['first']);
    expect(seen).toEqual(['first', 'late']);
  });

  it('delivers nothing to a subscriber that another has unsubscribed in the same delivery', () => {
    const hub = aHub();
    const seen: string[] = [];
    const candles$ = hub.candles$('spot:BTCUSDT', '1min');
    const second = new Subscription();
    candles$.subscribe(() => second.unsubscribe());
    second.add(candles$.subscribe(() => seen.push('second')));
    hub.beginWarmup({ minimum: 0 });

    deliver(hub, [minute]);

    expect(seen).toEqual([]);
  });

  it('is refused for a stream that is not configured', () => {
    const failure = failureOf(() => aHub().candles$('ETHUSDT', '1h'));

    expect(failure).toMatchObject({ code: 'E_STREAM_UNKNOWN' });
    expect(failure.message).toContain('spot:BTCUSDT 1h, spot:BTCUSDT 1min');
  });
});

describe('deliver', () => {
  it('refuses a candle of an unknown stream', () => {
    const hub = aHub();
    hub.beginWarmup({ minimum: 0 });
    const external = { ...minute, instrumentId: createInstrumentId('spot', 'DOGEUSDT') };

    expect(failureOf(() => deliver(hub, [external]))).toMatchObject({ code: 'E_STREAM_UNKNOWN' });
  });

  it('finds streams in any order', () => {
    const hub = aHub();
    const seen: string[] = [];
    for (const id of [SPOT.id, MARGIN.id, ETH.id])
      hub.candles$(id, '1min').subscribe(({ instrumentId }) => seen.push(instrumentId));
    hub.beginWarmup({ minimum: 0 });
    const of = (instrumentId: typeof SPOT.id) => ({ ...minute, instrumentId });

    deliver(hub, [of(ETH.id), of(SPOT.id), of(MARGIN.id), of(ETH.id)]);

    expect(seen).toEqual([ETH.id, SPOT.id, MARGIN.id, ETH.id]);
  });
});

describe('an indicator that is attached twice', () => {
  it('receives each candle twice, also if rows are begun', () => {
    const hub = new MarketHub([{ instrumentId: SPOT.id, intervals: ['1min'] }]);
    const [attached, alone] = [sma(3), sma(3)];
    hub.attach(attached, {});
    hub.attach(attached, {});
    hub.beginWarmup({ minimum: 0 });
    const candles = Array.from({ length: 40 }, (_, index) => ({
      ...aMinute(index),
      close: 100 + (index % 7),
    }));
    const stream = hub.stream({ instrumentId: SPOT.id, interval: '1min' });
    const closes = Float64Array.from(candles, ({ close }) => close);

    stream.beginRows({ first: 0, closes, firstClose: 0 }, 40);
    for (const [row, candle] of candles.entries()) {
      hub.deliver(stream, row, candle, true);
      alone.update(candle);
      alone.update(candle);
    }

    expect([attached.value, attached.previous]).toEqual([alone.value, alone.previous]);
  });
});

describe('an indicator that follows rows', () => {
  it.each(['plain', 'asked for strays'])(
    'goes on with rows that have begun, after a batch that ended early: %s',
    (way) => {
      const hub = new MarketHub([{ instrumentId: SPOT.id, intervals: ['1min'] }]);
      const attached = sma(3);
      const alone = sma(3);
      hub.attach(attached, {});
      hub.beginWarmup({ minimum: 0 });
      const stream = hub.stream({ instrumentId: SPOT.id, interval: '1min' });
      const candles = Array.from({ length: 60 }, (_, index) => ({
        ...aMinute(index),
        close: 100 + (index % 7),
      }));
      const closes = Float64Array.from(candles, ({ close }) => close);
      const [block, next] = [closes.slice(0, 40), closes.slice(40)];
      const ends = [10, 30, 40, 60];
      let first = 0;

      for (const end of ends) {
        // The first batch has the 40 rows of a block, and ends early.
        if (first < 40) stream.beginRows({ first, closes: block, firstClose: first }, 40 - first);
        else stream.beginRows({ first, closes: next, firstClose: first - 40 }, end - first);
        for (let row = first; row < end; row += 1) {
          const candle = candles[row] as (typeof candles)[number];
          hub.deliver(stream, row, candle, true);
          alone.update(candle);
          expect([attached.value, attached.previous]).toEqual([alone.value, alone.previous]);
        }
        if (way !== 'plain') expect(hasStrays(stream.indicators)).toBe(false);
        first = end;
      }
    },
  );
});
