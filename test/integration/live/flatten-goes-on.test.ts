import { interval, map, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';

import { MINUTE_MS, SECOND_MS, type OrderIntent } from '../../../src/domain/index.js';
import { enterLong, Strategy } from '../../../src/strategy/index.js';
import { LiveRig } from '../../support/live/live-rig.js';

/** Buys once, and keeps it. */
class Holder extends Strategy({}) {
  override readonly warmup = 3;

  override intents(): Observable<OrderIntent> {
    const isFutures = this.instruments[0]?.instrumentId.startsWith('futures') === true;
    return interval(SECOND_MS).pipe(map(() => enterLong({ quantity: isFutures ? '10' : '0.01' })));
  }
}

async function aHolder(product: 'spot' | 'futures'): Promise<LiveRig> {
  const rig = new LiveRig(product);
  await rig.start({ strategyClass: Holder });
  await rig.until(() => isExposed(rig));
  await rig.pass(MINUTE_MS);
  return rig;
}

function isExposed(rig: LiveRig): boolean {
  return rig.bot?.engine.portfolio.isExposed ?? false;
}

function reasons(rig: LiveRig): string {
  return rig.bot?.status().reasons.join('\n') ?? '';
}

describe.each(['spot', 'futures'] as const)('flatten of a bot on %s', (product) => {
  it('sends no exit twice if the venue accepts it', async () => {
    const rig = await aHolder(product);

    rig.bot?.flatten();
    await rig.pass(MINUTE_MS);

    expect(isExposed(rig)).toBe(false);
    expect(reasons(rig)).toBe('flattened by the operator');
    // A second exit for the same quantity would be refused, because nothing is left to sell.
    const ends = [...(rig.bot?.engine.orders ?? [])].map(({ status }) => status);
    expect(ends).not.toContain('rejected');
  });

  it('continues while the venue fails, reports it, and is flat when the venue works again', async () => {
    const rig = await aHolder(product);
    rig.broken.add('submit');

    rig.bot?.flatten();
    await rig.pass(5 * MINUTE_MS);
    expect(isExposed(rig)).toBe(true);
    expect(reasons(rig)).toMatch(
      /flattening since .*, tried \d+ times, goes on until flat or resumed: long [\d.]+ of /,
    );

    rig.broken.clear();
    await rig.pass(30 * SECOND_MS);
    expect(isExposed(rig)).toBe(false);
    expect(reasons(rig)).toBe('flattened by the operator');
  });

  it('continues after a kill, also if entries were halted before', async () => {
    const rig = await aHolder(product);
    rig.bot?.halt('enough');
    await rig.pass(SECOND_MS);
    rig.broken.add('submit');
    rig.bot?.flatten();
    await rig.pass(MINUTE_MS);

    rig.kill();
    rig.broken.clear();
    await rig.restart();
    await rig.pass(MINUTE_MS);

    expect(isExposed(rig)).toBe(false);
  });

  it('ends when the operator resumes', async () => {
    const rig = await aHolder(product);
    rig.broken.add('submit');
    rig.bot?.flatten();
    await rig.pass(MINUTE_MS);

    rig.bot?.resume();
    rig.broken.clear();
    await rig.pass(MINUTE_MS);

    expect([isExposed(rig), reasons(rig)]).toEqual([true, '']);
  });

  it('at a stop continues until the bot is flat, and then ends the bot', async () => {
    const rig = await aHolder(product);
    rig.broken.add('submit');
    const stopping = rig.bot?.stop('flatten') ?? Promise.reject(new Error('expected a bot'));
    await rig.pass(3 * MINUTE_MS);
    expect([rig.bot?.status().state, isExposed(rig)]).toEqual(['halting', true]);

    rig.broken.clear();
    await rig.during(stopping);

    expect([rig.bot?.status().state, isExposed(rig)]).toEqual(['stopped', false]);
  });
});
