import { describe, expect, it } from 'vitest';
import { CandleStrategy } from '../../../src/index.js';
import {
  candlesOf,
  checkLaws,
  closes,
  expectNoLookAhead,
  matchGolden,
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

  it('refuses an exit of something else than terms, and names it', async () => {
    class Leaves extends CandleStrategy({}) {
      override onCandle(): void {
        if (this.position.quantity.isZero()) this.enterLong({ quantity: '1' });
        else this.exit(wrong('0.5'));
      }
    }
    const test = await startStrategy(Leaves);

    test.play(closes(100, 101, 102));

    expect(test.refusals[0]?.text).toBe(
      'expected a size such as { quantity: "0.5" }, received "0.5"',
    );
  });

  it('refuses marbles, golden files and values of another type', async () => {
    expect(() => candlesOf(wrong(undefined), { a: 1 })).toThrow(
      'marbles: expected a text, received undefined',
    );
    expect(() => candlesOf('a', wrong(undefined))).toThrow(
      'prices: expected an object such as { a: 100, b: 101 }, received undefined',
    );
    await expect(matchGolden(wrong(5), await startStrategy(Buys))).rejects.toMatchObject({
      code: 'E_USAGE',
      message: 'file: expected the path of a file, as text or URL, received 5',
    });
    await expect(matchGolden('x.golden', wrong({ fills: [] }))).rejects.toThrow(
      'value: expected a test of startStrategy, or a result of runBacktest, received an object',
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
