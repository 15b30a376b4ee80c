import { stringify } from 'yaml';
import type { BotConfig } from '../../../src/assembly/index.js';
import { instrumentNode, protectionNodes, simulationNodes, toNode } from '../bot-file.js';

/** Writes a parsed bot as the YAML it could have come from. */
export function formatBot({ risk, live, simulation, instruments, ...config }: BotConfig): string {
  const { version, name, strategy, equityCurrency, warmUp } = config;
  const { protections, ...policies } = risk;
  return stringify(
    toNode({
      version,
      name,
      strategy,
      equityCurrency,
      instruments: instruments.map(instrumentNode),
      risk: { ...policies, ...protectionNodes(protections) },
      warmUp,
      live: { ...live, allocation: live.allocation.spot },
      simulation: simulation && simulationNodes(simulation, simulation.archive),
    }),
    { defaultStringType: 'QUOTE_DOUBLE', keepUndefined: false },
  );
}
