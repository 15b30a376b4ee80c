import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

import { describeUnwatched } from '../../../src/cli/live/describe-unwatched.js';
import { MINUTE_MS } from '../../../src/domain/index.js';
import { CandleStrategy } from '../../../src/strategy/index.js';
import { LiveRig } from '../../support/live/live-rig.js';
import type { BotStatus } from '../../../src/live/index.js';

/** Holds a position with a stop. */
class Holder extends CandleStrategy({}) {
  override readonly warmup = 3;

  override onCandle(): void {
    this.enterLong({ notional: '1000' }, { protection: { stopLoss: { ratio: '0.2' } } });
  }
}

/** Holds nothing. */
class Idle extends CandleStrategy({}) {
  override readonly warmup = 3;

  override onCandle(): void {
    // Nothing.
  }
}

async function aRig(
  strategyClass: typeof Holder | typeof Idle,
  mode: BotStatus['mode'] = 'live',
): Promise<LiveRig> {
  const rig = new LiveRig('spot', {}, mode);
  await rig.start({ strategyClass });
  await rig.pass(5 * MINUTE_MS);
  return rig;
}

const told = ({ journal }: LiveRig): Promise<readonly string[]> =>
  describeUnwatched([journal, `${journal}.none`], { cwd: '/' });

describe('the message about a bot that does not run', () => {
  it.each(['killed', 'stopped'])('names its position and stop: %s', async (how) => {
    const rig = await aRig(Holder);
    const { positions, guards } = rig.bot?.status() ?? {};
    if (how === 'stopped') await rig.stop();
    else rig.kill();

    const quantity = positions?.[0]?.quantity ?? '';
    const stop = guards?.[0]?.stop ?? '';
    expect(Number(quantity)).toBeGreaterThan(0);
    expect(Number(stop)).toBeGreaterThan(0);
    expect(await told(rig)).toEqual([
      `according to its journal it has long ${quantity} of spot:BTCUSDT (stop ${stop}); no process watches this now`,
    ]);
  });

  it('states that it has nothing at the venue', async () => {
    const rig = await aRig(Idle);
    await rig.stop();

    expect(await told(rig)).toEqual(['according to its journal it has nothing at the venue']);
  });

  it('is empty for a bot on paper', async () => {
    const rig = await aRig(Holder, 'paper');
    await rig.stop();

    expect(await told(rig)).toEqual([]);
  });

  it('states why orders and positions are unknown if the journal cannot be read', async () => {
    const rig = await aRig(Holder);
    rig.kill();
    await writeFile(rig.journal, 'no journal');

    expect(await told(rig)).toEqual([
      expect.stringMatching(
        /^its orders and positions at the venue are unknown: .*the journal is damaged/,
      ),
    ]);
  });
});
