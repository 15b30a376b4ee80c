import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { BotStatus } from 'evenkeel/run';
import { afterEach, describe, expect, it } from 'vitest';
import { formatFixed, MINUTE_MS } from '../../src/domain/index.js';
import { createRandom } from '../../src/engine/index.js';
import { readJournal } from '../../src/journal/index.js';
import { serveLines, type OnOrder } from '../contract/second-venue/line-process.js';
import { LineServer } from '../contract/second-venue/line-server.js';
import { WAVE_START } from '../contract/second-venue/wave.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import type { OwnerMessage } from './own-venue-bot.js';

/** `EVENKEEL_OWN_VENUE_KILLS=100`, at instants that `EVENKEEL_SEED` draws. */
const KILLS = Number(process.env['EVENKEEL_OWN_VENUE_KILLS'] ?? 8);
const SEED = Number(process.env['EVENKEEL_SEED'] ?? 36);
const PROGRAM = fileURLToPath(new URL('own-venue-bot.ts', import.meta.url));
const LOADER = pathToFileURL(path.resolve(import.meta.dirname, '../../.ci/bench-loader.mjs')).href;
/** The step of time. Bot and venue finish all due work before the next step, on any machine. */
const STEP_MS = 250;
const WAVE_MS = 4 * MINUTE_MS;
const LONGEST_LIFE_MS = 2 * MINUTE_MS;
const LONGEST_AWAY_MS = MINUTE_MS;
/** Time after which the test stops waiting for a result. */
const PATIENCE_MS = 20 * MINUTE_MS;
/** The bitcoin of the account before the bot. */
const BEFORE = 10n * 10n ** 18n;

/** Where a bot is killed: before its order is carried out, after that but before the answer, or at a random instant. */
const POINTS = ['before an order', 'after an order', 'at any time'] as const;

let child: ChildProcess | undefined;
afterEach(async () => {
  if (child?.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
});

/** A venue in this process. Its time moves only on request. */
class Market {
  now = WAVE_START;
  readonly server = new LineServer({ now: () => this.now, bidAt: wave });

  /** Starts the bot on its journal. */
  start(directory: string, onOrder: OnOrder = (carryOut) => carryOut()): Bot {
    child = fork(PROGRAM, [directory, String(this.now)], {
      execArgv: ['--import', LOADER],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    serveLines(child, this.server, onOrder);
    return new Bot(child, this);
  }
}

function wave(time: number): bigint {
  const angle = ((time - WAVE_START) / WAVE_MS) * 2 * Math.PI;
  return BigInt(Math.round(6_500_000 + 65_000 * Math.sin(angle)));
}

/** A bot in a process of its own, on the time of its market. */
class Bot {
  readonly #child: ChildProcess;
  readonly #market: Market;
  readonly #ended: Promise<unknown>;
  #end: unknown;
  #errors = '';
  #told: () => void = () => undefined;
  /** The last status that the bot has sent. */
  status: BotStatus | undefined;

  constructor(started: ChildProcess, market: Market) {
    this.#child = started;
    this.#market = market;
    started.stderr?.on('data', (piece: Buffer) => (this.#errors += piece.toString()));
    started.on('message', (message: object) => {
      if (!('status' in message)) return;
      this.status = (message.status as BotStatus | null) ?? undefined;
      this.#told();
    });
    this.#ended = once(started, 'exit').then(([code, signal]: readonly unknown[]) => {
      this.#end = signal ?? code;
    });
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  stop(): void {
    this.#say({ stop: true });
  }

  /** Advances time until the condition holds or the bot has ended. Returns its exit code or signal, or undefined while it lives. */
  async until(holds: () => boolean): Promise<unknown> {
    const end = this.#market.now + PATIENCE_MS;
    while (!holds() && this.#end === undefined) {
      if (this.#market.now >= end) throw new Error(`it never came to be: ${this.#shown()}`);
      this.#market.now += STEP_MS;
      const told = new Promise<void>((resolve) => (this.#told = resolve));
      this.#say({ to: this.#market.now });
      await Promise.race([told, this.#ended]);
      // The start loads files, which takes real time.
      if (this.status === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return this.#end;
  }

  /** Waits for the state `running`. */
  async isRunning(): Promise<void> {
    const end = await this.until(() => this.status?.state === 'running');
    if (end !== undefined) throw new Error(`it ended: ${this.#shown()}`);
  }

  /** Waits for the end. Returns the exit code or signal. */
  async ended(): Promise<unknown> {
    await this.#ended;
    return this.#end;
  }

  #say(message: OwnerMessage): void {
    // The process may end at any instant. Callers that wait for an answer learn that from its exit.
    this.#child.send(message, () => undefined);
  }

  #shown(): string {
    const { state, reasons } = this.status ?? {};
    return JSON.stringify({ end: this.#end, state, reasons, errors: this.#errors });
  }
}

describe('a bot from code on its own venue that is killed repeatedly', () => {
  it(
    `neither loses nor duplicates an order (${String(KILLS)} kills, seed ${String(SEED)})`,
    { timeout: 60_000 + KILLS * 20_000 },
    async () => {
      const directory = await temporaryFolder();
      const market = new Market();
      const random = createRandom(SEED);
      let withOrders = 0;
      for (let kill = 0; kill < KILLS; kill += 1) {
        const point = POINTS[kill % POINTS.length];
        let isArmed = false;
        const bot = market.start(directory, (carryOut) => {
          if (!isArmed || point === 'at any time') return carryOut();
          if (point === 'after an order') carryOut();
          bot.kill();
          return undefined;
        });
        await bot.isRunning();
        await bot.until(() => market.server.working > 0);
        isArmed = true;
        const end = market.now + random() * LONGEST_LIFE_MS;
        await bot.until(() => point === 'at any time' && market.now >= end);
        bot.kill();
        expect(await bot.ended()).toBe('SIGKILL');
        if (market.server.working > 0) withOrders += 1;
        market.now += Math.floor(random() * LONGEST_AWAY_MS);
      }

      const last = market.start(directory);
      await last.isRunning();
      last.stop();
      expect(await last.until(() => false)).toBe(0);

      const { orders, bitcoin } = market.server.books();
      const journal = await readJournal(path.join(directory, 'grid.journal'));
      const known = journal.orderHistory().orders;
      journal.close();
      const told = known
        .filter(({ venueOrderId }) => venueOrderId !== undefined)
        .map(({ venueOrderId, request, filledQuantity }) =>
          [venueOrderId, request.clientOrderId, formatFixed(filledQuantity)].join(' '),
        );
      const there = orders.map(({ id, tag, filled }) => [id, tag, formatFixed(filled)].join(' '));
      expect(told.toSorted()).toEqual(there.toSorted());
      expect(new Set(orders.map(({ tag }) => tag)).size).toBe(orders.length);
      const unanswered = known.filter(({ venueOrderId }) => venueOrderId === undefined);
      expect(unanswered.filter(({ filledQuantity }) => filledQuantity > 0n)).toEqual([]);
      expect(last.status?.reasons).toEqual([]);
      expect(last.status?.positions.map(({ quantity }) => quantity)).toEqual(
        bitcoin === BEFORE ? [] : [formatFixed(bitcoin - BEFORE)],
      );
      expect(market.server.working).toBe(0);
      expect(orders.length).toBeGreaterThan(KILLS);
      expect(withOrders).toBeGreaterThanOrEqual(KILLS / 2);
    },
  );
});
