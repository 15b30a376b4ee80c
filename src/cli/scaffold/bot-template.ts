import type { Interval } from '../../domain/index.js';

interface BotTemplate {
  /** Name of the bot, the strategy's folder and the files. */
  readonly name: string;
  readonly kind: 'spot' | 'futures';
  readonly symbol: string;
  readonly quote: string;
  readonly interval: Interval;
  /** Relative to the folder of the bot's file, with slashes. */
  readonly archive: string;
  /** Relative to the folder of the bot's file, with slashes. */
  readonly plugin: string;
  readonly pricePrecision: number;
  /** Description of the candles, for a comment in the file. */
  readonly candles: string;
  /** How the user calls this program. */
  readonly command: string;
}

/** Terms of a contract that its candles do not show. */
const CONTRACT = `    leverage: 2
    marginMode: cross
    contract: linear # inverse: margin and profit in base
    multiplier: "0.001" # base of one contract: look it up
`;

/** Writes a bot's YAML file that backtests a new strategy. */
export function renderBot(bot: BotTemplate): string {
  return `# yaml-language-server: $schema=./bot.schema.json
#   ${bot.command} backtest config/${bot.name}.backtest.yaml

version: 1
name: ${bot.name}

strategy:
  path: ${JSON.stringify(bot.plugin)}
  parameters:
    period: 24
    entry: 60
    exit: 45

instruments:
  - product: ${bot.kind}
    symbol: ${bot.symbol}
    intervals: [${bot.interval}]
${bot.kind === 'spot' ? '' : CONTRACT}
simulation:
  archive: ${JSON.stringify(bot.archive)} # ${bot.candles}
  balances:
    ${bot.quote}: "10000"
  fees:
    maker: "0.001" # 0.1 %
    taker: "0.001"
  spreadBps: "1"
  slippage: { model: fixed, bps: "1" }
  participation: "0.1" # an order takes at most 10 % of a candle's volume
  latencyMs: 200
  rules: # rules of the venue: look them up, a backtest is only as good as its rules
    ${bot.symbol}:
      pricePrecision: ${String(bot.pricePrecision)}
      quantityPrecision: ${bot.kind === 'spot' ? '5' : '0'}
      minOrderMoney: "5"
`;
}
