import { expect, it } from 'vitest';

import { openArchive } from '../../../src/archive/index.js';
import { parseUtc, type Candle, type Side } from '../../../src/domain/index.js';
import { Grid } from '../../../strategies/grid/grid.strategy.js';
import { loadScenario, playScenario } from '../../support/scenario.js';

it('a grid on spot has five bids and five asks working at the same time', async () => {
  const seen: string[] = [];
  class Watched extends Grid {
    override onCandle(candle: Candle): void {
      super.onCandle(candle);
      const count = (side: Side): string =>
        String(this.workingOrders().filter((order) => order.side === side).length);
      seen.push(`${count('buy')} bids, ${count('sell')} asks`);
    }
  }
  const scenario = await loadScenario('grid');
  const { simulation } = scenario.config;
  const config = {
    ...scenario.config,
    simulation: { ...simulation, to: parseUtc('2024-07-15') },
  };

  const { refusals } = await playScenario(
    { ...scenario, config, strategyClass: Watched },
    openArchive(simulation.archive),
  );

  expect(refusals).toEqual([]);
  expect(seen.filter((one) => one === '5 bids, 5 asks').length).toBeGreaterThan(3);
  // After a level is sold, it is bought again, and the other way round: ten orders work all week.
  const whole = seen.filter((one) => {
    const [bids = 0, asks = 0] = one.match(/\d+/g)?.map(Number) ?? [];
    return bids + asks === 10;
  });
  expect(whole.length / seen.length).toBeGreaterThan(0.8);
});
