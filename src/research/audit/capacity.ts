import { formatFixed, parseFixed, type AccountBalances, type Fixed } from '../../domain/index.js';
import type { AuditSubject, PlannedPart } from './audit-desk.js';
import type { AuditRun } from './audit-job.js';
import type { Audit } from './audit-schema.js';
import { deliveredSeries, finestOf } from './market-change.js';

type Capacity = NonNullable<Audit['capacity']>;
type Row = Capacity['rows'][number];
type Simulation = AuditSubject['config']['simulation'];

/** Multiples of the account and the sizes. */
const SIZES = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000] as const;
/** Used if the file does not limit participation. */
const PARTICIPATION = parseFixed('0.1');
/** Decimals of the estimated coefficient. */
const DECIMALS = 6;

/**
 * Plans runs with a larger account and larger sizes, in which orders take only a share of the volume and move the price: they show from which size on the bot
 * earns nothing. For information only: no outcome is a violation.
 */
export function planCapacity(subject: AuditSubject): PlannedPart<Capacity> {
  const { config, finished } = subject;
  const simulation = withImpact(config.simulation, volatilityOf(subject));
  const { slippage, participation } = simulation;
  return {
    runs: SIZES.length,
    judge: async (run) => {
      const rows = await Promise.all(
        SIZES.map(async (times): Promise<Row> => {
          const balances = enlarged(config.simulation.balances, BigInt(times));
          const intents = { kind: 'times', times } as const;
          const larger = { ...config, simulation: { ...simulation, balances } };
          return { times, ...moneyOf(await run({ config: larger, intents })) };
        }),
      );
      return {
        participation: formatFixed(participation),
        impact: formatFixed(slippage.coefficient),
        currency: finished.equity.currency,
        rows,
        ...judgeSizes(rows),
      };
    },
  };
}

/** Adds square-root impact: the coefficient of the file, otherwise the volatility of a candle. In the second case a fixed slippage is paid as spread. */
function withImpact(
  simulation: Simulation,
  volatility: Fixed,
): Simulation & {
  readonly participation: Fixed;
  readonly slippage: Extract<Simulation['slippage'], { readonly model: 'squareRoot' }>;
} {
  const { slippage, participation, spreadBps } = simulation;
  const shared = {
    ...simulation,
    participation: participation === 'off' ? PARTICIPATION : participation,
  };
  if (slippage.model === 'squareRoot') return { ...shared, slippage };
  return {
    ...shared,
    // A taker pays half of the spread.
    spreadBps: spreadBps + 2n * slippage.bps,
    slippage: { model: 'squareRoot', coefficient: volatility },
  };
}

/**
 * Standard deviation of the returns of a candle, for the instrument with the largest. Trading the whole volume of some time moves the price by about its
 * volatility over that time. Trading a share of it moves the price by the root of the share.
 */
function volatilityOf({ config, snapshot, finished }: AuditSubject): Fixed {
  const { from, to } = finished;
  const deviations = finestOf(deliveredSeries(config, snapshot.series)).map(({ columns }) => {
    const { openTime, open, close } = columns;
    let [count, sum, squares] = [0, 0, 0];
    for (const [row, time] of openTime.entries()) {
      if (time < from || time >= to) continue;
      const change = (close[row] as number) / (open[row] as number) - 1;
      count += 1;
      sum += change;
      squares += change * change;
    }
    return count === 0 ? 0 : Math.sqrt(Math.max(0, squares / count - (sum / count) ** 2));
  });
  return parseFixed(Math.max(...deviations).toFixed(DECIMALS));
}

function enlarged(balances: AccountBalances, times: bigint): AccountBalances {
  const accounts = Object.entries(balances).map(([kind, amounts]) => [
    kind,
    new Map([...amounts].map(([asset, amount]) => [asset, amount * times])),
  ]);
  return Object.fromEntries(accounts) as AccountBalances;
}

function moneyOf({ outcome }: AuditRun): Omit<Row, 'times'> {
  if (outcome.status === 'failed') return { money: null, failed: outcome.code };
  const { equity, statistics, orders, fills, refusals } = outcome;
  return {
    money: {
      initialEquity: equity.initial,
      profit: formatFixed(parseFixed(equity.final) - parseFixed(equity.initial)),
      totalReturn: statistics.totalReturn,
      ...{ orders, fills, refusals },
    },
    failed: null,
  };
}

function judgeSizes(rows: readonly Row[]): Pick<Capacity, 'gone' | 'most'> {
  const earned = rows.flatMap(({ times, money }) =>
    money === null ? [] : [{ times, profit: parseFixed(money.profit) }],
  );
  const gone = earned.find(({ profit }) => profit <= 0n);
  const most = earned
    .filter(({ profit }) => profit > 0n)
    .reduce<(typeof earned)[number] | undefined>(
      (best, each) => (best === undefined || each.profit > best.profit ? each : best),
      undefined,
    );
  return { gone: gone?.times ?? null, most: most?.times ?? null };
}
