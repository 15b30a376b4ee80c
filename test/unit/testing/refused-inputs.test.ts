import { describe, expect, it } from 'vitest';
import { CandleStrategy } from '../../../src/index.js';
import {
  candlesOf,
  checkLaws,
  closes,
  dataSourceContract,
  exitAlwaysPasses,
  expectNoLookAhead,
  feeModelContract,
  flat,
  GAP,
  indicatorContract,
  matchGolden,
  neverNaked,
  nothingBeforeWarm,
  sizingContract,
  slippageModelContract,
  startStrategy,
  venueContract,
  walk,
  wave,
  type ContractTest,
} from '../../../src/testing/index.js';

class Buys extends CandleStrategy({}) {
  override onCandle(): void {
    if (this.position.quantity.isZero()) this.enterLong({ quantity: '1' });
  }
}

/** A strategy whose calls a test makes. */
class Calls extends CandleStrategy({}) {
  override onCandle(): void {
    // Nothing by itself.
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
    await expect(checkLaws(Buys, wrong({ laws: [neverNaked, 'never'] }))).rejects.toMatchObject({
      code: 'E_USAGE',
      message: 'laws.1: expected a function, received "never"',
    });
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

  it.each<readonly [string, (own: Calls) => void, string]>([
    [
      'a text to plot',
      (own) => own.plot('a', wrong('x')),
      'this.plot("a"): expected a number or undefined, received x',
    ],
    [
      'a Decimal to plot',
      (own) => own.plot('a', wrong(own.position.quantity)),
      'this.plot("a"): expected a number or undefined, received an object',
    ],
    [
      'a plot over an instrument that is not configured',
      (own) => own.plot('a', 1, 'ETHUSDT'),
      'spot:BTCUSDT',
    ],
    [
      'no rule of size',
      (own) => own.sizeBy(wrong(undefined)),
      'this.sizeBy: expected a sizing rule, which is a function, received undefined',
    ],
  ])('refuses %s, which did nothing or failed without a name', async (_what, call, message) => {
    class Calling extends Calls {
      override onCandle(): void {
        call(this);
      }
    }
    const test = await startStrategy(Calling);

    expect(() => test.play(closes(100))).toThrow(message);
  });

  it('refuses the mark and the funding of a pair', async () => {
    const test = await startStrategy(Buys);
    test.play(closes(100, 101));

    expect(() => test.mark(90)).toThrow('mark: expected a contract, received spot:BTCUSDT');
    expect(() => test.settleFunding('0.0001')).toThrow(
      'settleFunding: expected a contract, received spot:BTCUSDT',
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

  it('refuses a candle that is over already, and names what lets its time pass', async () => {
    const test = await startStrategy(Buys);
    test.play(closes(1)).pass('1h').play(closes(1));
    test.pass('61min');

    for (const late of [closes(3), [GAP] as const])
      expect(() => test.play(late)).toThrow(
        expect.objectContaining({
          code: 'E_USAGE',
          message:
            'play: expected a candle that closes at 2025-01-01T03:01:00Z or later, because pass() went so far, received one from 2025-01-01T02:00:00Z to 2025-01-01T03:00:00Z; for whole candles play GAP instead of pass()',
        }),
      );
  });

  it.each<readonly [string, (law: never) => unknown]>([
    ['neverNaked', (test) => neverNaked(test, false)],
    ['exitAlwaysPasses', (test) => exitAlwaysPasses(test, true)],
    ['nothingBeforeWarm', (test) => nothingBeforeWarm(test, false)],
  ])('is what %s asks for', (name, ask) => {
    for (const [value, shown] of [
      [undefined, 'undefined'],
      [5, '5'],
      [{ positions: [] }, 'an object'],
    ] as const)
      expect(() => ask(wrong(value))).toThrow(
        `${name}.test: expected a test of startStrategy, received ${shown}`,
      );
  });

  it('has a law that wants to know whether the candle was the last one, and would pass otherwise', async () => {
    const test = await startStrategy(Buys);

    expect(() => exitAlwaysPasses(test, wrong(undefined))).toThrow(
      'exitAlwaysPasses.isLast: expected true or false, received undefined',
    );
  });

  it('refuses events that would change nothing, or have no meaning', async () => {
    const test = await startStrategy(Buys);
    const message = (act: () => unknown): string => {
      try {
        return String(act());
      } catch (error: unknown) {
        return (error as Error).message;
      }
    };

    expect(message(() => test.play(wrong(undefined)))).toBe(
      'play.candles: expected a list of candles such as closes(100, 101), received undefined',
    );
    expect(message(() => test.play(wrong('abc')))).toContain('play.candles: expected a list');
    expect(message(() => test.pass(wrong(5)))).toBe(
      'expected a duration such as "90s", "15min", "3h" or "2d", received "5"',
    );
    expect(message(() => test.tick(-1))).toBe('tick.price: expected a price above 0, received -1');
    expect(message(() => test.mark(wrong(undefined)))).toBe(
      'mark.price: expected a price above 0, received undefined',
    );
    expect(message(() => test.halt(wrong('flaten')))).toBe(
      'halt.onHalt: expected one of block, cancel, flatten, received "flaten"',
    );
    expect(message(() => test.marbles(wrong({ entre: 'E' })))).toContain(
      'letters.entre: expected one of enter, exit, protect, cancel, replace, flatten, target',
    );
  });

  it('refuses candles that would be none', () => {
    expect(() => closes(wrong([100, 101]))).toThrow(
      'closes.price: expected a number, received a list',
    );
    expect(() => flat(Number.NaN, 100)).toThrow(
      'flat.count: expected a whole number from 0, received NaN',
    );
    expect(() => flat(2, wrong(undefined))).toThrow('flat.price: expected a number');
    expect(() => wave(-1, 100, 101)).toThrow('wave.count: expected a whole number from 0');
    expect(() => wave(3, 100, wrong(undefined))).toThrow('wave.other: expected a number');
  });
});

describe('a contract', () => {
  it.each<readonly [string, (create: never) => unknown]>([
    ['feeModelContract', feeModelContract],
    ['slippageModelContract', slippageModelContract],
    ['indicatorContract', indicatorContract],
    ['venueContract', venueContract],
  ])('of %s refuses what is no factory', (name, contract) => {
    for (const [value, shown] of [
      [undefined, 'undefined'],
      [{ id: 'mine' }, 'an object'],
    ] as const)
      expect(() => contract(wrong(value))).toThrow(
        `${name}.create: expected a function, received ${shown}`,
      );
  });

  it('refuses a factory that makes something else', async () => {
    class Fees {
      ratesAt = (): undefined => undefined;
    }
    const firstOf = async (tests: readonly ContractTest[]): Promise<unknown> => tests[0]?.run();

    await expect(firstOf(feeModelContract(wrong(() => Fees)))).rejects.toMatchObject({
      code: 'E_TEST_CONTRACT',
      message: 'expected a function as ratesAt of what create makes, received undefined',
    });
    await expect(firstOf(slippageModelContract(wrong(() => undefined)))).rejects.toThrow(
      'expected a function as ratio of what create makes, received undefined',
    );
    await expect(firstOf(feeModelContract(() => new Fees() as never))).rejects.toThrow(
      'expected an object as the rates of spot:BTCUSDT, 2024-01-01T00:00:00Z, received undefined',
    );
    expect(() => indicatorContract(wrong(() => undefined))).toThrow(
      'expected a function as update of what create makes, received undefined',
    );
    await expect(
      firstOf(venueContract(wrong(() => Promise.resolve({ close: () => undefined })))),
    ).rejects.toThrow('expected a function as settle of what create makes, received undefined');
  });

  it('refuses questions that do not exist', () => {
    const create = wrong(() => undefined);

    expect(() => feeModelContract(create, wrong({ instrument: [] }))).toThrow(
      'questions.instrument: expected one of instruments, times; did you mean "instruments"?',
    );
    expect(() => indicatorContract(create, wrong(null))).toThrow(
      'questions: expected an object, received null',
    );
  });

  it('of a rule of size refuses what is no function, and wrong options', () => {
    expect(() => sizingContract(wrong({ quantity: '1' }))).toThrow(
      'sizingContract.sizing: expected a function, received an object',
    );
    expect(() => sizingContract(() => ({ quantity: '1' }), wrong({ rsk: {} }))).toThrow(
      'rsk: expected one of',
    );
  });

  it('of a data source names the member that is wrong', async () => {
    expect(() => dataSourceContract(wrong(undefined))).toThrow(
      'dataSourceContract.source: expected an object, received undefined',
    );
    for (const { run } of dataSourceContract(wrong({ name: 'x', url: 'https://x.example' })))
      await expect((async () => run())()).rejects.toMatchObject({
        code: 'E_TEST_CONTRACT',
        message: 'source.product: expected one of spot, margin, futures, received nothing',
      });
  });
});
