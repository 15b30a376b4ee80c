import { describe, expect, it } from 'vitest';
import { CandleStrategy } from '../../../src/index.js';
import {
  checkLaws,
  closes,
  expectNoLookAhead,
  neverNaked,
  startStrategy,
  walk,
} from '../../../src/testing/index.js';

class Buys extends CandleStrategy({}) {
  override onCandle(): void {
    if (this.position.quantity.isZero()) this.enterLong({ quantity: '1' });
  }
}

/** What a JavaScript program may give. */
const wrong = (value: unknown): never => value as never;

describe('a test of a strategy', () => {
  it('refuses unknown options, which would leave the defaults', async () => {
    await expect(startStrategy(Buys, wrong({ paramters: {} }))).rejects.toThrow(
      'paramters: expected one of parameters, instruments, risk, simulation, start; did you mean "parameters"?',
    );
    await expect(checkLaws(Buys, wrong({ laws: [neverNaked], run: 2 }))).rejects.toThrow(
      'did you mean "runs"?',
    );
    await expect(checkLaws(Buys, wrong({ laws: neverNaked }))).rejects.toThrow(
      'laws: expected a list, received a function',
    );
    await expect(expectNoLookAhead(Buys, wrong({}))).rejects.toThrow(
      'candles: expected a list, received undefined',
    );
    expect(() => walk(wrong({ lenght: 5 }))).toThrow(
      'walk.length: expected a whole number from 1, received undefined',
    );
  });

  it.each<readonly [unknown, string]>([
    [100, 'such as { close: 100 } or closes(100, 101), received 100'],
    [null, 'received null'],
    [{ close: '100' }, 'received "100" as close'],
    [{ close: 100, hgih: 130 }, 'received the key "hgih"'],
    [{ BTCUSDT: 100 }, 'received 100'],
  ])('refuses to play %j', async (candle, message) => {
    const test = await startStrategy(Buys);

    expect(() => test.play([wrong(candle)])).toThrow(message);
  });

  it('refuses rules that do not exist or have another type', async () => {
    const test = await startStrategy(Buys);

    expect(() => test.changeRules(wrong({ tradeable: false }))).toThrow('did you mean "tradable"?');
    expect(() => test.changeRules(wrong({ minOrderMoney: 5 }))).toThrow(
      'rules.minOrderMoney: expected a text, received 5',
    );
  });

  it('refuses candles after its end, which no strategy would see', async () => {
    const test = await startStrategy(Buys);
    test.play(closes(1, 2)).stop();

    expect(() => test.play(closes(3))).toThrow('stop() has ended it');
  });
});
