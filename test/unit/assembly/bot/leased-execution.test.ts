import { describe, expect, it } from 'vitest';

import { leasedExecution } from '../../../../src/assembly/bot/connection/leased-execution.js';
import { TransportError } from '../../../../src/domain/index.js';
import type { ExecutionAdapter } from '../../../../src/venue/index.js';

type Given = Parameters<ExecutionAdapter['submit']>;

/** An adapter that records its calls. */
function anAdapter() {
  const asked: string[] = [];
  const note = (name: string) => (): Promise<never> => {
    asked.push(name);
    return Promise.reject(new TransportError('E_CLOSED', 'no venue'));
  };
  const names = ['submit', 'submitBatch', 'submitConditional', 'test', 'cancel', 'cancelBatch'];
  const methods = Object.fromEntries(names.map((name) => [name, note(name)]));
  return { asked, names, adapter: { capabilities: {}, ...methods } as unknown as ExecutionAdapter };
}

describe('leasedExecution', () => {
  it('sends no order after the lease is lost, but still sends tests and cancels', async () => {
    const { asked, names, adapter } = anAdapter();
    let isHeld = true;
    const leased = leasedExecution(adapter, () => isHeld);
    const none = [] as unknown as Given;
    const ask = (): Promise<readonly string[]> =>
      Promise.all(
        names.map(async (name) => {
          const call = Reflect.get(leased, name) as (...given: Given) => Promise<unknown>;
          const error: unknown = await call(...none).catch((cause: unknown) => cause);
          return error instanceof TransportError ? error.code : 'another';
        }),
      );

    const before = await ask();
    isHeld = false;
    asked.splice(0);
    const after = await ask();

    expect(before).toEqual(names.map(() => 'E_CLOSED'));
    expect(asked).toEqual(['test', 'cancel', 'cancelBatch']);
    expect(after.slice(0, 3)).toEqual(['E_LEASE_LOST', 'E_LEASE_LOST', 'E_LEASE_LOST']);
  });
});
