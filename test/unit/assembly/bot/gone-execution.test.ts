import { describe, expect, it } from 'vitest';

import { goneExecution } from '../../../../src/assembly/bot/connection/gone-execution.js';
import { createInstrumentId, type OrderRequest } from '../../../../src/domain/index.js';
import { GoneInstruments } from '../../../../src/live/index.js';
import type { ExecutionAdapter } from '../../../../src/venue/index.js';

const [GONE, THERE] = ['ETHUSDT', 'BTCUSDT'].map((symbol) => createInstrumentId('spot', symbol));

function aBench() {
  const sent: string[] = [];
  const clock = { now: 0 };
  const venue = {
    submit: ({ instrumentId, action }: OrderRequest) => {
      sent.push(`${action} ${instrumentId}`);
      return Promise.resolve({ kind: 'rejected', reason: { code: '-1121', text: 'no symbol' } });
    },
  } as unknown as ExecutionAdapter;
  const gone = new GoneInstruments(GONE === undefined ? [] : [GONE]);
  const execution = goneExecution(venue, { gone, now: () => clock.now });
  const submit = (action: string, instrumentId = GONE) =>
    execution.submit({ action, instrumentId } as never, {
      signal: new AbortController().signal,
    });
  return { sent, clock, submit, gone };
}

describe('goneExecution', () => {
  it('rejects an entry for an instrument that the venue no longer has, without sending it', async () => {
    const { sent, submit } = aBench();

    const outcome = await submit('open');

    expect(sent).toEqual([]);
    expect(outcome).toEqual({
      kind: 'rejected',
      reason: { code: 'gone', text: 'the venue has no spot:ETHUSDT any more; nothing was sent' },
    });
  });

  it('sends at most one exit per half minute', async () => {
    const { sent, clock, submit } = aBench();

    for (let second = 0; second < 60; second += 1) {
      clock.now = second * 1_000;
      await submit('close');
    }

    expect(sent).toEqual(['close spot:ETHUSDT', 'close spot:ETHUSDT']);
  });

  it('sends entries for other instruments, and again once the instrument is back', async () => {
    const { sent, submit, gone } = aBench();

    await submit('open', THERE);
    if (GONE !== undefined) gone.set(GONE, false);
    await submit('open');

    expect(sent).toEqual(['open spot:BTCUSDT', 'open spot:ETHUSDT']);
  });
});
