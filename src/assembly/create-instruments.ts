import { ConfigError, RuleBook, type Instrument } from '../domain/index.js';
import type { BacktestConfig, InstrumentConfig } from './bot-config.js';

/** Makes the instrument a configuration names. */
export function createInstrument(config: InstrumentConfig): Instrument {
  const { instrumentId: id, symbol, base, quote } = config;
  if (config.kind === 'spot') return { kind: 'spot', id, symbol, base, quote };
  throw new ConfigError('E_CONFIG_PRODUCT', {
    location: { file: symbol, key: 'instruments.product' },
    expected: 'spot, because the simulator does not know other products yet',
    received: config.kind,
  });
}

/**
 * Collects the venue's rules of every instrument.
 *
 * @throws {ConfigError} `E_CONFIG_RULES` when an instrument has none: precision and minimums are never guessed.
 */
export function createRuleBook(config: BacktestConfig): RuleBook {
  const book = new RuleBook();
  for (const { instrumentId, symbol } of config.instruments) {
    const rules = config.simulation.rules.get(instrumentId);
    if (rules === undefined) {
      throw new ConfigError('E_CONFIG_RULES', {
        location: { file: config.name, key: `simulation.rules.${symbol}` },
        expected: `the venue's rules of ${symbol}`,
        received: 'nothing',
        suggestion: `add for example ${symbol}: { pricePrecision: 2, quantityPrecision: 5, minOrderMoney: "5" }`,
      });
    }
    book.set(instrumentId, [{ from: 0, rules }]);
  }
  return book;
}
