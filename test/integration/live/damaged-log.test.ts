import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import { formatFixed, MINUTE_MS } from '../../../src/domain/index.js';
import { CandleStrategy } from '../../../src/strategy/index.js';
import { LiveRig } from '../../support/live/live-rig.js';

/** Buys whenever it holds nothing, with a stop. */
class Holder extends CandleStrategy({}) {
  override readonly warmup = 3;

  override onCandle(): void {
    this.enterLong({ quantity: '17' }, { protection: { stopLoss: { ratio: '0.03' } } });
  }
}

/** Changes a bit at a share of the log beside a journal. */
function flipLog(journal: string, share: number): void {
  const log = readFileSync(`${journal}-wal`);
  const place = Math.floor(log.length * share);
  log[place] = (log[place] ?? 0) ^ 4;
  writeFileSync(`${journal}-wal`, log);
}

/** A bot that was killed while it held 17 contracts. */
async function aKilledHolder(): Promise<LiveRig> {
  const rig = new LiveRig('futures');
  await rig.start({ strategyClass: Holder });
  await rig.until(() => rig.bot?.status().guards.length === 1);
  await rig.pass(2 * MINUTE_MS);
  expect(rig.bot?.status().positions).toMatchObject([{ quantity: '17' }]);
  rig.kill();
  return rig;
}

function heldAtVenue(rig: LiveRig): readonly string[] {
  const [account] = rig.account.futures(rig.now()).accounts;
  return (account?.positions ?? []).map(({ quantity }) => formatFixed(quantity));
}

describe('a killed bot whose journal lost its last commits', () => {
  it('continues if its position was not among them', async () => {
    const rig = await aKilledHolder();
    flipLog(rig.journal, 0.8);

    const bot = await rig.restart();
    await rig.pass(5 * MINUTE_MS);

    expect(heldAtVenue(rig)).toEqual(['17']);
    expect(bot.status()).toMatchObject({ positions: [{ quantity: '17' }], guards: [{}] });
  });

  it.each([
    ['a bit of its log was changed', (journal: string) => flipLog(journal, 0.3)],
    ['its file was copied without its log', (journal: string) => rmSync(`${journal}-wal`)],
  ])('is refused with the position that it does not know, or claims it: %s', async (_, damage) => {
    const rig = await aKilledHolder();
    damage(rig.journal);

    const refused = await rig.restart();
    expect(await refused.ended).toMatchObject({
      kind: 'failed',
      error: {
        code: 'E_DISAGREEMENT',
        message: expect.stringMatching(/position-foreign.*17/) as string,
      },
    });

    const bot = await rig.restart({ set: ['live.externalOrders=claim'] });
    await rig.pass(5 * MINUTE_MS);
    expect(heldAtVenue(rig)).toEqual(['17']);
    expect(bot.status()).toMatchObject({ positions: [{ quantity: '17' }] });
  });
});
