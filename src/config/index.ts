/** Files that users write: a bot, an exchange, records of rules and tiers. A schema declares each key once, and the types are made from the schema. */
export type {
  BacktestConfig,
  BotConfig,
  BotDescription,
  ConfiguredSecret,
  SessionConfig,
  SimulationConfig,
} from './schemas/bot-schema.js';
export {
  A_FILE,
  A_FUNCTION,
  A_LIST,
  A_NUMBER,
  A_SIGNAL,
  A_SWITCH,
  A_TEXT,
  CHECKED_LATER,
  checkOptions,
  oneOf,
  wholeFrom,
  type OptionCheck,
  type OptionChecks,
} from './check-options.js';
export { combineProblems } from './problems/combine-problems.js';
export type { ExchangeConfig } from './schemas/exchange-schema.js';
export type { FuturesInstrumentConfig, InstrumentConfig } from './schemas/instrument-schema.js';
export type { KeyPath } from './yaml/key-path.js';
export { formatConfigJsonSchema } from './schemas/json-schema.js';
export type { GivenKey } from './given-keys.js';
export { loadConfig, readConfig, type LoadedConfig } from './load-config.js';
export { setParameters } from './set-parameters.js';
export { loadExchangeConfig, type LoadedExchangeConfig } from './load-exchange-config.js';
export { listSettings, type OverrideOptions } from './yaml/overrides.js';
export { parseRulesLayout, parseTiersLayout, type RecordLayout } from './record-layout.js';
export {
  A_MODEL_ID,
  isModelId,
  type IdentifiedModel,
  type VenueModels,
} from './schemas/venue-models.js';
export { splitSymbol, type AssetPair } from './symbol.js';
export type { YamlDocument } from './yaml/yaml-document.js';
