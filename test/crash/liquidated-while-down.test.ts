import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { formatFixed, present } from '../../src/domain/index.js';
import { readJournal } from '../../src/journal/index.js';
import { contractBot } from '../support/cli/contract-bot.js';
import {
  evenkeel,
  JOURNAL,
  killLiveProcesses,
  startLive,
  statusOf,
} from '../support/cli/live-processes.js';
import { venueContracts } from '../support/cli/venue-contracts.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const LIVE = ['live', 'bot.yaml', '--yes', '--accept-findings'];
const PATIENT = { timeout: 120_000, interval: 50 };
/** The bot and this test share the limits of the venue: 2 calls a second. */
const SELDOM = { timeout: 180_000, interval: 1_000 };
const ALLOCATED = 10_000;
/** Volatility of 2,400 % a year: 3 % per minute. The candles of the week before leave the price between ten thousand and a million, depending on the hour. */
const EXCHANGE = `market:
  synthetic:
    seed: 7
    pairs:
      BTCUSDT: { price: '6000000', volatility: '24', dailyVolume: '200000' }
accounts:
  - name: twin
    leverage: 50
    balances: { futures: { USDT: '100000' } }
`;

/** Holds both sides of a contract without stops, so that any large move liquidates one of them. */
const BOTH_SIDES = `import { enterLong, enterShort, Strategy } from 'evenkeel';
import { from, mergeMap, take } from 'rxjs';
export class BothSides extends Strategy({}) {
  warmup = 1;
  intents(market) {
    return market.ticker$().pipe(take(60), mergeMap(() => from([
      ...(this.positionOf('E-BTC-USDT', 'long').quantity.gt(0) ? [] : [enterLong({ notional: '20000' })]),
      ...(this.positionOf('E-BTC-USDT', 'short').quantity.gt(0) ? [] : [enterShort({ notional: '20000' })]),
    ])));
  }
}
`;

afterEach(killLiveProcesses);

// The test waits for a move of some percent: `EVENKEEL_LIQUIDATIONS=1`.
describe.runIf(process.env['EVENKEEL_LIQUIDATIONS'] === '1')(
  'a bot with a position that is liquidated while the bot is down',
  () => {
    it(
      'agrees with the venue after a restart, and after all positions are closed',
      { timeout: 400_000 },
      async () => {
        const file = path.join(await temporaryFolder(), 'exchange.yaml');
        await writeFile(file, EXCHANGE);
        const { folder, env, exchange } = await contractBot({
          plugin: BOTH_SIDES,
          leverage: 50,
          exchange: [file],
          more: 'live: { unverified: accept, guard: off }\n',
        });
        const { equity: begun } = await venueContracts(exchange);
        const live = await startLive(folder, env);
        await expect.poll(() => statusOf(folder), PATIENT).toMatchObject({ positions: [{}, {}] });
        expect(await evenkeel(['pause', 'bot.yaml'], folder).ended).toBe(0);
        await expect
          .poll(() => statusOf(folder), PATIENT)
          .toMatchObject({ positions: [{}, {}], orders: [] });
        live.child.kill('SIGKILL');
        await live.exited;
        await expect
          .poll(async () => Object.keys((await venueContracts(exchange)).held).length, SELDOM)
          .toBeLessThan(2);

        const again = evenkeel(LIVE, folder, env);
        await expect
          .poll(() => statusOf(folder), PATIENT)
          .toMatchObject({ state: 'paused', reasons: ['paused by the operator'] });
        const { positions } = present(await statusOf(folder), 'status');
        expect(positions.length).toBeLessThan(2);
        expect(await evenkeel(['flatten', 'bot.yaml'], folder).ended).toBe(0);
        await expect
          .poll(() => statusOf(folder), PATIENT)
          .toMatchObject({ positions: [], orders: [] });
        again.child.kill('SIGTERM');
        expect(await again.ended).toBe(0);

        const { held, equity } = await venueContracts(exchange);
        expect(held).toEqual({});
        const reader = await readJournal(path.join(folder, JOURNAL));
        const ending = reader.epochs().at(-1)?.ending;
        reader.close();
        const own = present(ending, 'an epoch that has ended').balances.find(
          ({ asset }) => asset === 'USDT',
        );
        expect(Number(formatFixed(present(own, 'USDT').total)) - ALLOCATED).toBeCloseTo(
          equity - begun,
          6,
        );
      },
    );
  },
);
