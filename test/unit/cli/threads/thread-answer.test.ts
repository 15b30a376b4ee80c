import { describe, expect, it } from 'vitest';
import {
  answering,
  openAnswer,
  TASK_STATE,
  type SentTask,
} from '../../../../src/cli/threads/thread-answer.js';
import { DataError, InvariantError } from '../../../../src/domain/index.js';

function sent<Task>(task: Task): SentTask<Task> {
  return { task, state: new Int32Array(new SharedArrayBuffer(4)) };
}

/** The answer of a thread that throws, after the copy between threads. */
async function answerOf(error: Error): Promise<Parameters<typeof openAnswer>[0]> {
  return structuredClone(await answering(() => Promise.reject(error))(sent(undefined)));
}

describe('openAnswer', () => {
  it('returns the result of the thread', async () => {
    const answer = await answering((task: number) => Promise.resolve([task]))(sent(3));

    expect(openAnswer(structuredClone(answer))).toEqual([3]);
  });

  it('throws the error of the thread with its class and code', async () => {
    const thrown = new DataError('E_DATA_READ', 'cannot read a.arrow');

    const answer = await answerOf(thrown);

    expect(() => openAnswer(answer)).toThrow(thrown);
    expect(() => openAnswer(answer)).toThrow(expect.objectContaining({ code: 'E_DATA_READ' }));
    expect(() => openAnswer(answer)).toThrow(DataError);
  });

  it('throws a bug of the thread as an InvariantError', async () => {
    const answer = await answerOf(new InvariantError('E_VALIDATE', 'expected a defect'));

    expect(() => openAnswer(answer)).toThrow(InvariantError);
  });
});

describe('answering', () => {
  it('lets an unexpected error end the thread', async () => {
    await expect(answerOf(new TypeError('broken'))).rejects.toThrow(new TypeError('broken'));
  });

  it('runs one task after the other, and keeps the state of each', async () => {
    const finish: (() => void)[] = [];
    const run = answering(() => new Promise<void>((resolve) => finish.push(resolve)));
    const tasks = [sent('first'), sent('second')];
    const states = (): number[] => tasks.map(({ state }) => Atomics.load(state, 0));

    const answers = tasks.map((task) => run(task));
    await Promise.resolve();
    const atFirst = states();
    finish[0]?.();
    await answers[0];
    await Promise.resolve();
    const between = states();
    finish[1]?.();
    await answers[1];

    expect(atFirst).toEqual([TASK_STATE.running, TASK_STATE.waiting]);
    expect(between).toEqual([TASK_STATE.done, TASK_STATE.running]);
    expect(states()).toEqual([TASK_STATE.done, TASK_STATE.done]);
  });

  it('runs the next task after a task that broke', async () => {
    const run = answering((task: string) =>
      task === 'bad' ? Promise.reject(new TypeError('broken')) : Promise.resolve(task),
    );
    const [bad, good] = [sent('bad'), sent('good')];

    const answers = await Promise.allSettled([run(bad), run(good)]);

    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(Atomics.load(bad.state, 0)).toBe(TASK_STATE.running);
  });
});
