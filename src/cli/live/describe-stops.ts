import { stopGridsOf } from '../../assembly/backtest/index.js';
import { nounOf, secondsText } from '../../domain/index.js';
import { planStops, sampleMs, type StopPlan } from '../../venue/index.js';
import type { LoadedBot } from '../bot/load-bot.js';

/** How often the stops of bots in one process are sampled, and notes where a backtest samples more often. */
export interface StopCheck {
  readonly plan: StopPlan;
  readonly notes: readonly string[];
}

/** Plans the stops of the bots as if all of them ran in one process on one key. */
export function checkStops(bots: readonly Pick<LoadedBot, 'config'>[]): StopCheck {
  const plan = planStops(bots.flatMap(({ config }) => config.instruments));
  const notes = bots.flatMap(({ config }) => {
    const tested = stopGridsOf(config);
    const kinds = new Set(config.instruments.map(({ kind }) => kind));
    return [...kinds].flatMap((kind) => {
      const live = plan.gridMs[kind];
      if (tested[kind] >= live) return [];
      return `stops: a backtest of ${config.name} samples its ${kind} stops every ${secondsText(tested[kind])}, but live up to ${secondsText(live)} pass between two samples; simulation.stopPollMs: ${String(live)} tests this`;
    });
  });
  return { plan, notes };
}

/** Describes a plan for people, one line for each limit that stops are sampled under. */
export function describeStops(plan: StopPlan): readonly string[] {
  const { pairs, contracts, gridMs } = plan;
  return [
    ...(pairs === 0 ? [] : [`${countOf(pairs, 'pair')}: every ${secondsText(gridMs.spot)}`]),
    ...(contracts === 0 ? [] : [`${countOf(contracts, 'contract')}: ${describeContracts(plan)}`]),
  ];
}

function describeContracts(plan: StopPlan): string {
  const { contracts, gridMs } = plan;
  if (contracts === 1) return `every ${secondsText(gridMs.futures)}`;
  return `every ${secondsText(gridMs.futures)} while all are near a level, ${secondsText(sampleMs(plan, 1, contracts))} while one is; marks of the others every ${secondsText(plan.contractCallMs)} at best`;
}

function countOf(count: number, noun: string): string {
  return `${String(count)} ${nounOf(count, noun)}`;
}
