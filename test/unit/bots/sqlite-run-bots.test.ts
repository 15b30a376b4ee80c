import { stat } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { askBot } from '../../../src/bots/control/control-client.js';
import { controlPath } from '../../../src/bots/control/control-path.js';
import { serveControl } from '../../../src/bots/control/control-server.js';
import { runBots, type BotWithSettings } from '../../../src/bots/run-bots.js';
import { hearStop } from '../../../src/cli/live/stop-signal.js';
import { AuthError, parseFixed, type TradingError } from '../../../src/domain/index.js';
import type { EngineCheckpoint } from '../../../src/engine/index.js';
import { aCliContext, type TestContext } from '../../support/cli/cli-context.js';
import { FakeBot } from '../../support/live/fake-bot.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { settle } from '../../support/virtual-time.js';

const describeFailure = ({ message, code }: TradingError): readonly string[] => [
  `${message} (${code})`,
];

const REFUSED = new AuthError('E_AUTH', 'expected a valid key, received a refusal');

const OWNED = {
  positions: [
    {
      ...{ instrumentId: 'spot:BTCUSDT', direction: 'long', isHeld: true },
      quantity: parseFixed('0.25'),
    },
  ],
  sides: [],
  orders: [],
} as unknown as EngineCheckpoint;

/** Runs bots named a, b, …. Resolves when all have their control socket. */
async function running(policies: readonly BotWithSettings['onStop'][]): Promise<
  TestContext & {
    readonly bots: readonly FakeBot[];
    readonly sockets: readonly string[];
    readonly said: string[];
    readonly result: Promise<readonly TradingError[]>;
  }
> {
  const temporary = await temporaryFolder();
  const place = { runtimeFolder: temporary, userId: process.getuid?.() ?? 0 };
  const test = aCliContext();
  const stop = hearStop(test.context);
  onTestFinished(() => stop.release());
  const said: string[] = [];
  const bots = policies.map((_, index) => new FakeBot({ name: 'abc'.charAt(index) }));
  const journals = bots.map(({ name }) => path.join(temporary, `${name}.journal`));
  const result = runBots({
    bots: bots.map((control, index) => ({
      control,
      onStop: policies[index] ?? 'keep',
      journal: journals[index] ?? '',
    })),
    stop: stop.signal,
    place,
    say: (line) => void said.push(line),
    describeFailure,
  });
  const sockets = journals.map((journal) => controlPath(journal, place));
  for (const socket of sockets) await until(() => isThere(socket));
  return { ...test, bots, sockets, said, result };
}

/** Lets the process work until something holds. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 10_000; turn++) {
    if (await holds()) return;
    await settle();
  }
  throw new Error('it never came to be');
}

function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

describe('runBots', () => {
  it('runs until every bot has ended, and reports each end', async () => {
    const { bots, result, said } = await running(['keep', 'keep']);

    for (const bot of bots) bot.end({ kind: 'stopped' });

    expect(await result).toEqual([]);
    expect(said.toSorted()).toEqual(['a has stopped', 'b has stopped']);
  });

  it('keeps the other bots running when one fails, and reports the failure', async () => {
    const { bots, sockets, result, said } = await running(['keep', 'keep']);
    const [one, other] = bots;

    one?.end({ kind: 'failed', error: REFUSED });
    await until(async () => !(await isThere(sockets[0] ?? '')));

    expect(said).toEqual(['a has failed: expected a valid key, received a refusal (E_AUTH)']);
    expect(await askBot({ command: 'pause' }, { path: sockets[1] ?? '' })).toMatchObject({
      ok: true,
    });
    expect(other?.told).toEqual(['pause']);
    other?.end({ kind: 'stopped' });
    expect(await result).toEqual([REFUSED]);
  });

  it.each(['interrupt', 'terminate'] as const)(
    'stops each bot once on %s, by its own policy, and waits for its end',
    async (how) => {
      const { bots, result, said, interrupt, terminate, sockets } = await running([
        'cancel',
        'flatten',
      ]);
      const [one, other] = bots;
      if (other !== undefined) other.endsOnStop = false;

      if (how === 'interrupt') interrupt();
      else expect(terminate()).toBe(true);
      terminate();
      await until(async () => !(await isThere(sockets[0] ?? '')));

      expect(one?.told).toEqual(['stop: cancel']);
      expect(other?.told).toEqual(['stop: flatten']);
      expect(said).toEqual(['a is stopping (cancel)', 'b is stopping (flatten)', 'a has stopped']);
      other?.end({ kind: 'stopped' });
      expect(await result).toEqual([]);
    },
  );

  it('does not stop a bot that has ended', async () => {
    const { bots, result, terminate, said } = await running(['keep', 'keep']);
    bots[0]?.end({ kind: 'stopped' });

    terminate();

    expect(await result).toEqual([]);
    expect(bots.map(({ told }) => told)).toEqual([[], ['stop: keep']]);
    expect(said).not.toContain('a is stopping (keep)');
  });

  it('stops at once if it was interrupted before', async () => {
    const temporary = await temporaryFolder();
    const bot = new FakeBot({ name: 'a' });

    const failures = await runBots({
      bots: [{ control: bot, onStop: 'keep', journal: path.join(temporary, 'a.journal') }],
      stop: AbortSignal.abort(),
      place: { runtimeFolder: temporary, userId: 0 },
      say: () => undefined,
      describeFailure,
    });

    expect(failures).toEqual([]);
    expect(bot.told).toEqual(['stop: keep']);
  });

  it('names the real positions and orders that a stopped bot leaves unwatched', async () => {
    const temporary = await temporaryFolder();
    const said: string[] = [];

    await runBots({
      bots: [
        {
          control: new FakeBot({ name: 'a' }),
          onStop: 'keep',
          journal: path.join(temporary, 'a.journal'),
        },
      ],
      stop: AbortSignal.abort(),
      place: { runtimeFolder: temporary, userId: 0 },
      say: (line) => void said.push(line),
      describeFailure,
      leavesHoldings: true,
    });

    expect(said).toEqual([
      'a is stopping (keep)',
      'a has stopped, and leaves long 0.25 of spot:BTCUSDT (no stop), 1 order: evenkeel does not watch this until the bot runs again',
    ]);
  });

  it('names what a bot leaves that was stopped before it began, from its journal', async () => {
    const temporary = await temporaryFolder();
    const said: string[] = [];
    const guardedBy = { process: 'bot', since: undefined, standby: 'off' } as const;
    const endings = {
      a: () => Promise.resolve(OWNED),
      b: () => Promise.resolve(undefined),
      c: () => Promise.reject(REFUSED),
    };

    await runBots({
      bots: Object.entries(endings).map(([name, ending]) => ({
        control: new FakeBot({ name, guardedBy, positions: [], orders: [] }),
        onStop: 'flatten',
        journal: path.join(temporary, `${name}.journal`),
        ending,
      })),
      stop: AbortSignal.abort(),
      place: { runtimeFolder: temporary, userId: 0 },
      say: (line) => void said.push(line),
      describeFailure,
      leavesHoldings: true,
    });

    const unwatched = 'evenkeel does not watch this until the bot runs again';
    expect(said.slice(3).toSorted()).toEqual([
      `a has stopped, and leaves long 0.25 of spot:BTCUSDT (no stop): ${unwatched}`,
      'b has stopped',
      `c has stopped, and leaves what its journal does not tell (${REFUSED.message}): ${unwatched}`,
    ]);
  });

  it.each([
    ['ready', 'its guard process takes over'],
    ['starting', 'its guard process takes over'],
    ['gone', 'evenkeel does not watch this until the bot runs again'],
    ['off', 'evenkeel does not watch this until the bot runs again'],
  ] as const)(
    'names from its journal what a bot has that cannot begin, and who watches it: guard %s',
    async (standby, watched) => {
      const temporary = await temporaryFolder();
      const said: string[] = [];
      const guardedBy = { process: 'bot', since: undefined, standby } as const;
      const control = new FakeBot({ name: 'a', guardedBy, positions: [], orders: [] });
      control.end({ kind: 'failed', error: REFUSED });

      await runBots({
        bots: [
          {
            ...{ control, onStop: 'keep', journal: path.join(temporary, 'a.journal') },
            ending: () => Promise.resolve(OWNED),
          },
        ],
        stop: new AbortController().signal,
        place: { runtimeFolder: temporary, userId: process.getuid?.() ?? 0 },
        say: (line) => void said.push(line),
        describeFailure,
        leavesHoldings: true,
      });

      expect(said).toEqual([
        `a has failed: ${describeFailure(REFUSED).join('')}`,
        `a leaves long 0.25 of spot:BTCUSDT (no stop): ${watched}`,
      ]);
    },
  );

  it('leaves the socket to a guard process if the bot has failed before', async () => {
    const temporary = await temporaryFolder();
    const journal = path.join(temporary, 'a.journal');
    const place = { runtimeFolder: temporary, userId: process.getuid?.() ?? 0 };
    const guardedBy = { process: 'guard', since: undefined, standby: 'off' } as const;
    const asked: string[] = [];
    const handBack = (): void => void asked.push('hand-back');
    const guard = Object.assign(new FakeBot({ guardedBy }), { handBack });
    const server = await serveControl(controlPath(journal, place), guard);
    const bot = new FakeBot({ name: 'a', state: 'stopped' });
    bot.end({ kind: 'failed', error: REFUSED });

    const failures = await runBots({
      bots: [{ control: bot, onStop: 'keep', journal }],
      stop: new AbortController().signal,
      place,
      say: () => undefined,
      describeFailure,
    });
    await server.close();

    expect(failures).toEqual([REFUSED]);
    expect(asked).toEqual([]);
  });

  it('names what a bot leaves whose control socket cannot be made', async () => {
    const temporary = await temporaryFolder();
    const said: string[] = [];

    await runBots({
      bots: [
        {
          ...{ control: new FakeBot({ name: 'a' }), onStop: 'keep' },
          journal: path.join(temporary, 'no-folder', 'a.journal'),
        },
      ],
      stop: new AbortController().signal,
      place: { runtimeFolder: temporary, userId: process.getuid?.() ?? 0 },
      say: (line) => void said.push(line),
      describeFailure,
      leavesHoldings: true,
    });

    expect(said).toEqual([
      expect.stringMatching(/^a has failed: .*\(E_CONTROL_SOCKET\)$/),
      'a leaves long 0.25 of spot:BTCUSDT (no stop), 1 order: evenkeel does not watch this until the bot runs again',
    ]);
  });

  it('stops a bot whose control socket is not available', async () => {
    const temporary = await temporaryFolder();
    const journal = path.join(temporary, 'a.journal');
    const place = { runtimeFolder: temporary, userId: process.getuid?.() ?? 0 };
    const other = await serveControl(controlPath(journal, place), new FakeBot());
    const bot = new FakeBot({ name: 'a' });
    const said: string[] = [];

    const failures = await runBots({
      bots: [{ control: bot, onStop: 'cancel', journal }],
      stop: new AbortController().signal,
      place,
      say: (line) => void said.push(line),
      describeFailure,
      leavesHoldings: true,
    });
    await other.close();

    expect(failures.map(({ code }) => code)).toEqual(['E_CONTROL_SOCKET']);
    expect(bot.told).toEqual(['stop: cancel']);
    expect(said).toEqual([expect.stringMatching(/^a has failed: .*\(E_CONTROL_SOCKET\)$/)]);
  });
});

describe('hearStop', () => {
  it.each(['interrupt', 'terminate'] as const)('aborts its signal on %s', (how) => {
    const test = aCliContext();
    const { signal } = hearStop(test.context);
    expect(signal.aborted).toBe(false);

    test[how]();

    expect(signal.aborted).toBe(true);
  });

  it.each(['interrupt', 'terminate'] as const)(
    'lets a later request to terminate end the process after %s',
    (how) => {
      const test = aCliContext();
      hearStop(test.context);

      test[how]();

      expect(test.terminate()).toBe(false);
    },
  );

  it('lets a request to terminate end the process after its release', () => {
    const test = aCliContext();
    const stop = hearStop(test.context);

    stop.release();

    expect(test.terminate()).toBe(false);
    expect(stop.signal.aborted).toBe(false);
  });
});
