import {
  listWarmups,
  prepareMarket,
  type BacktestConfig,
  type RunOptions,
} from '../../assembly/backtest/index.js';
import { present } from '../../domain/index.js';
import { beginningOf, drawnInterval, leadOf, type FuzzGround } from './fuzz-ground.js';
import { layOut } from './lay-out.js';
import { readStarts, type StartingPoint } from './market-starts.js';
import { configOfHistory, openHistory } from './run-history.js';

/** Start of histories if the configuration has none: any day is equally good. */
const SOME_DAY = Date.UTC(2025, 0, 1);

interface GroundOptions
  extends
    Pick<StartingPoint, 'rules' | 'archive'>,
    Pick<RunOptions, 'strategyClass' | 'sourceHash'> {
  readonly config: BacktestConfig;
  /** Most candles of a history. */
  readonly candles: number;
}

/**
 * Finds the start of all histories: time, prices, rules, and the number of warm-up candles.
 *
 * @throws {UsageError} `E_FUZZ_CANDLES` when candles cannot be drawn; {StrategyError} when the strategy cannot be constructed; as the archive.
 */
export async function prepareGround(options: GroundOptions): Promise<FuzzGround> {
  const { config, strategyClass, sourceHash, candles } = options;
  const interval = drawnInterval(config);
  const from = beginningOf(config, config.simulation.from ?? SOME_DAY);
  const starts = await readStarts({ ...options, from });
  const ground = { config, strategyClass, sourceHash, starts, from, interval, lead: 0, candles };
  return { ...ground, lead: leadOf(await listFirst(ground), interval) };
}

/** Warm-up candles that the strategy needs, as declared at its construction. */
async function listFirst(ground: FuzzGround): Promise<ReturnType<typeof listWarmups>> {
  const quiet = ground.starts.map(() => [{ kind: 'flat', candles: 1 } as const]);
  const laid = present(layOut(ground, { lateMs: 0, markets: quiet }), 'quiet market');
  const config = configOfHistory(ground.config, { from: ground.from, ...laid });
  const market = await prepareMarket(config, openHistory(ground, laid));
  try {
    const { strategyClass } = ground;
    return listWarmups({ config, strategyClass, terms: market.terms }, ground.from);
  } finally {
    await market.close();
  }
}
