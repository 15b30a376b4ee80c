/** Entry of each thread of a check. It checks one batch of stored series after the other. */
import { FileMemory } from '../../archive/index.js';
import { answering } from '../threads/thread-answer.js';
import { checkOne, type CheckBatch } from './check-one.js';
import type { CheckedCandles } from './checked-candles.js';

const memory = new FileMemory();

export const checkInThread = answering(
  async ({ keys, ...where }: CheckBatch): Promise<readonly CheckedCandles[]> => {
    const checked: CheckedCandles[] = [];
    for (const key of keys) checked.push(await checkOne(key, { ...where, memory }));
    return checked;
  },
);
