import type { BacktestConfig } from '../../assembly/backtest/index.js';
import { SECOND_MS } from '../../domain/index.js';
import type { AuditSubject, PlannedPart } from './audit-desk.js';
import type { AuditRun } from './audit-job.js';
import type { Audit } from './audit-schema.js';

type Sensitivity = NonNullable<Audit['sensitivity']>;
type Row = Sensitivity['rows'][number];
type Simulation = BacktestConfig['simulation'];

/** Multiples of fees, spread and slippage. */
const COSTS = [0n, 1n, 2n, 5n] as const;
/** Times added to the latency of orders and cancels. */
const LATER_MS = [100, SECOND_MS, 10 * SECOND_MS] as const;
const PATHS = ['nearest', 'high-first', 'low-first'] as const;

interface Variant extends Pick<Row, 'kind' | 'value'> {
  readonly simulation: Simulation;
}

/** Plans runs with other costs, more latency, and other paths within candles. For information only: no outcome is a violation. */
export function planSensitivity({ config }: AuditSubject): PlannedPart<Sensitivity> {
  const variants = listVariants(config.simulation);
  return {
    runs: variants.length,
    judge: async (run) => ({
      rows: await Promise.all(
        variants.map(async ({ kind, value, simulation }) => ({
          kind,
          value,
          ...figuresOf(await run({ config: { ...config, simulation } })),
        })),
      ),
    }),
  };
}

function listVariants(simulation: Simulation): readonly Variant[] {
  return [
    ...COSTS.map((times): Variant => ({
      kind: 'costs',
      value: `× ${String(times)}`,
      simulation: withCosts(simulation, times),
    })),
    ...LATER_MS.map((ms): Variant => ({
      kind: 'latency',
      value: `+ ${String(ms)} ms`,
      simulation: withLatency(simulation, ms),
    })),
    ...PATHS.map((path): Variant => ({
      kind: 'path',
      value: path,
      simulation: { ...simulation, path },
    })),
  ];
}

function withCosts(simulation: Simulation, times: bigint): Simulation {
  const { fees, feeChanges, spreadBps, slippage } = simulation;
  const rates = ({ maker, taker }: Pick<Simulation['fees'], 'maker' | 'taker'>) => ({
    // A rebate is no cost: it stays.
    maker: maker > 0n ? maker * times : maker,
    taker: taker * times,
  });
  return {
    ...simulation,
    fees: { ...fees, ...rates(fees) },
    feeChanges: feeChanges.map((change) => ({ ...change, ...rates(change) })),
    spreadBps: spreadBps * times,
    slippage:
      slippage.model === 'fixed'
        ? { ...slippage, bps: slippage.bps * times }
        : { ...slippage, coefficient: slippage.coefficient * times },
  };
}

function withLatency(simulation: Simulation, ms: number): Simulation {
  const { submit, cancel } = simulation.latency;
  const later = ({ min, max }: typeof submit): typeof submit => ({ min: min + ms, max: max + ms });
  return { ...simulation, latency: { submit: later(submit), cancel: later(cancel) } };
}

function figuresOf({ outcome }: AuditRun): Omit<Row, 'kind' | 'value'> {
  if (outcome.status === 'failed') return { figures: null, failed: outcome.code };
  const { totalReturn, sharpe, maxDrawdown, trades } = outcome.statistics;
  const { final, currency } = outcome.equity;
  return {
    figures: { finalEquity: final, currency, totalReturn, sharpe, maxDrawdown, trades },
    failed: null,
  };
}
