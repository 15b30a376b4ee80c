import { describe, expect, it } from 'vitest';

import type { InterruptedBot } from '../../../src/assembly/parity/interruptions.js';
import { HOUR_MS } from '../../../src/domain/index.js';
import { RestartedBot } from '../../support/parity/restarted-bot.js';

// For all examples, at drawn instants and over gaps: `npm run test:hostile -- restarted-examples`.
describe('a bot over HTTP that is stopped and started again', () => {
  it('trades as in its backtest, also with a restart right before each crossing', async () => {
    const bot = await RestartedBot.of({
      config: 'config/sma-crossover.backtest.yaml',
      from: Date.parse('2024-09-05'),
      to: Date.parse('2024-09-13'),
    });
    const { orders: tested } = await bot.backtest();
    const restart = async (interrupted: InterruptedBot): Promise<void> => {
      await bot.stop(interrupted);
      await interrupted.start();
    };
    const decisions = new Set(tested.map(({ time }) => time));
    const restarts = [...decisions].map((time) => ({ time: time - HOUR_MS / 2, act: restart }));

    const { orders } = await bot.live(restarts);

    expect(orders).toEqual(tested);
    expect(restarts.length).toBeGreaterThan(5);
  });
});
