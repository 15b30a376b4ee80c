import { afterEach, describe, expect, it, vi } from 'vitest';

import { JournalError, MINUTE_MS } from '../../../src/domain/index.js';
import { SqliteJournal } from '../../../src/journal/sqlite-journal.js';
import { CandleStrategy } from '../../../src/strategy/index.js';
import { LiveRig } from '../../support/live/live-rig.js';

/** Enters and exits in turn, with each candle. */
class Restless extends CandleStrategy({}) {
  override readonly warmup = 3;

  override onCandle(): void {
    if (this.position.quantity.gt(0)) this.exit();
    else this.enterLong({ quantity: '17' });
  }
}

/** Enough for two looks, ten seconds apart, for an order that the venue does not show and that can no longer arrive. */
const WITHIN_MS = 30_000;

afterEach(() => {
  vi.restoreAllMocks();
});

/** After `events` more events the journal cannot write, until the returned function is called. */
function fillDisk(events: number): () => void {
  const { append } = SqliteJournal.prototype;
  let left = events;
  const spy = vi.spyOn(SqliteJournal.prototype, 'append').mockImplementation(function (
    this: SqliteJournal,
    ...given
  ) {
    if ((left -= 1) < 0) throw new JournalError('E_JOURNAL_FULL', 'the disk is full');
    append.apply(this, given);
  });
  return () => {
    spy.mockRestore();
  };
}

/** Contracts by the venue and by the bot. */
function held(rig: LiveRig): { readonly venue: bigint; readonly bot: bigint | undefined } {
  const [account] = rig.account.futures(rig.now()).accounts;
  const venue = (account?.positions ?? []).reduce((sum, { quantity }) => sum + quantity, 0n);
  const [own] = [...(rig.bot?.engine.portfolio.instruments() ?? [])];
  return { venue, bot: own?.long.holding.quantity };
}

describe('a bot whose disk is full for a while', () => {
  it.each([1, 3, 7, 11])(
    'agrees with the venue within half a minute of its next start, full after %s events',
    async (events) => {
      const rig = new LiveRig('futures');
      rig.slowMs = 700;
      const bot = await rig.start({ strategyClass: Restless });
      await rig.pass(MINUTE_MS + events * 7_000);
      const free = fillDisk(events);
      for (let waited = 0; bot.status().state !== 'stopped' && waited < 600; waited += 1)
        await rig.pass(1_000);
      expect(await bot.ended).toMatchObject({ kind: 'failed', error: { code: 'E_JOURNAL_FULL' } });
      free();
      rig.kill();

      const begun = rig.now();
      await rig.restart();

      while (held(rig).bot !== held(rig).venue && rig.now() - begun < 2 * MINUTE_MS)
        await rig.pass(1_000);
      expect(held(rig).bot).toBe(held(rig).venue);
      expect(rig.now() - begun).toBeLessThanOrEqual(WITHIN_MS);
    },
  );
});
