import { describe, expect, it } from 'vitest';
import { answering, openAnswer } from '../../../../src/cli/threads/thread-answer.js';
import { DataError, InvariantError } from '../../../../src/domain/index.js';

/** What a thread that throws answers, as it is after its way between threads. */
async function answerOf(error: Error): Promise<Parameters<typeof openAnswer>[0]> {
  return structuredClone(await answering(() => Promise.reject(error))(undefined));
}

describe('openAnswer', () => {
  it('gives what the thread gave', async () => {
    const answer = await answering((task: number) => Promise.resolve([task]))(3);

    expect(openAnswer(structuredClone(answer))).toEqual([3]);
  });

  it('throws what the thread threw on purpose, with its code', async () => {
    const thrown = new DataError('E_DATA_READ', 'cannot read a.arrow');

    const answer = await answerOf(thrown);

    expect(() => openAnswer(answer)).toThrow(thrown);
    expect(() => openAnswer(answer)).toThrow(expect.objectContaining({ code: 'E_DATA_READ' }));
    expect(() => openAnswer(answer)).toThrow(DataError);
  });

  it('throws a bug that the thread met as one', async () => {
    const answer = await answerOf(new InvariantError('E_VALIDATE', 'expected a defect'));

    expect(() => openAnswer(answer)).toThrow(InvariantError);
  });
});

describe('answering', () => {
  it('lets the thread break over what nobody threw on purpose', async () => {
    await expect(answerOf(new TypeError('broken'))).rejects.toThrow(new TypeError('broken'));
  });
});
