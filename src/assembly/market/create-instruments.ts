import {
  ConfigError,
  RuleBook,
  type DatedRules,
  type Instrument,
  type InstrumentId,
} from '../../domain/index.js';
import type { BacktestConfig, InstrumentConfig } from '../../config/index.js';

/** Makes the instrument a configuration names. */
export function createInstrument(config: InstrumentConfig): Instrument {
  const { instrumentId: id, symbol, base, quote, readOnly } = config;
  const common = { id, symbol, base, quote, ...(readOnly === true && { isReadOnly: true }) };
  switch (config.kind) {
    case 'spot':
      return { kind: 'spot', ...common };
    case 'margin':
      return { kind: 'margin', ...common, leverage: config.leverage };
    case 'futures':
      return {
        kind: 'futures',
        ...common,
        contract: config.contract,
        multiplier: config.multiplier,
        marginAsset: config.contract === 'linear' ? quote : base,
        leverage: config.leverage,
        marginMode: config.marginMode,
      };
  }
}

const PAIR_RULES = '{ pricePrecision: 2, quantityPrecision: 5, minOrderMoney: "5" }';
/** Contracts are whole. */
const CONTRACT_RULES = '{ pricePrecision: 2, quantityPrecision: 0, minOrderQuantity: "1" }';

/**
 * Collects the venue's rules of every instrument: the stored rules, otherwise those of the configuration.
 *
 * @throws {ConfigError} `E_CONFIG_RULES` when an instrument has none: precision and minimums are never guessed.
 */
export function createRuleBook(
  config: BacktestConfig,
  stored: ReadonlyMap<InstrumentId, readonly DatedRules[]> = new Map(),
): RuleBook {
  const book = new RuleBook();
  for (const { instrumentId, symbol, kind } of config.instruments) {
    const dated = stored.get(instrumentId) ?? [];
    if (dated.length > 0) {
      book.set(instrumentId, dated);
      continue;
    }
    const rules = config.simulation.rules.get(instrumentId);
    if (rules === undefined) {
      throw new ConfigError('E_CONFIG_RULES', {
        location: { file: config.name, key: `simulation.rules.${symbol}` },
        expected: `the venue's rules of ${symbol}`,
        received: 'nothing',
        suggestion: `add for example ${symbol}: ${kind === 'futures' ? CONTRACT_RULES : PAIR_RULES}`,
      });
    }
    book.set(instrumentId, [{ from: 0, rules }]);
  }
  return book;
}
