import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { EpochMs } from '../../src/domain/index.js';
import type { BotMessage, BotRequest, CrashOrder, CrashReport, Vitals } from './crash-report.js';

/** Limit on the kept error output of a process. */
const MAX_ERROR_CHARACTERS = 10_000;

/** A bot in a process of its own. It loads its program at once, and waits for `begin`. */
export class BotProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<NodeJS.Signals | null>;
  readonly #waiting = new Set<(message: BotMessage) => void>();
  #isOver = false;
  #errors = '';

  constructor(program: string) {
    this.#child = fork(program, [], {
      execArgv: ['--expose-gc'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#child.stderr?.on('data', (piece: Buffer) => {
      this.#errors = (this.#errors + piece.toString()).slice(-MAX_ERROR_CHARACTERS);
    });
    this.#child.on('message', (message: BotMessage) => {
      if (message.kind === 'failed') {
        this.#errors += message.text;
        this.#isOver = true;
      }
      for (const take of [...this.#waiting]) take(message);
    });
    this.#ended = once(this.#child, 'exit').then(([, signal]) => {
      this.#isOver = true;
      return signal as NodeJS.Signals | null;
    });
  }

  /** Whether the bot has failed, or its process has ended. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The error output, and the message of a failure. */
  get errors(): string {
    return this.#errors;
  }

  begin(order: CrashOrder): void {
    this.#send({ kind: 'begin', order });
  }

  /** Moves the time of the bot. Resolves when all due work is done, or when the bot is over. */
  async move(to: EpochMs): Promise<void> {
    const moved = this.#next(({ kind }) => kind === 'moved' || kind === 'failed');
    this.#send({ kind: 'move', to });
    await Promise.race([moved, this.#ended]);
  }

  async ask(kind: 'report' | 'stop'): Promise<CrashReport> {
    const report = this.next('report');
    this.#send({ kind });
    return report;
  }

  /** The operator confirms what the bot waits for. */
  resume(): void {
    this.#send({ kind: 'resume' });
  }

  async vitals(): Promise<Vitals> {
    const vitals = this.next('vitals');
    this.#send({ kind: 'vitals' });
    return vitals;
  }

  /** Resolves with the next message of a kind. @throws when the bot fails, or its process ends, before. */
  async next<Kind extends BotMessage['kind']>(
    kind: Kind,
  ): Promise<Extract<BotMessage, { kind: Kind }>> {
    const next = this.#next((message) => message.kind === kind || message.kind === 'failed');
    const message = this.#isOver ? undefined : await Promise.race([next, this.#ended]);
    if (typeof message === 'object' && message?.kind === kind)
      return message as Extract<BotMessage, { kind: Kind }>;
    throw new Error(`expected "${kind}" of the bot, it is over: ${this.#errors}`);
  }

  #next(isWanted: (message: BotMessage) => boolean): Promise<BotMessage> {
    return new Promise((resolve) => {
      const take = (message: BotMessage): void => {
        if (!isWanted(message)) return;
        this.#waiting.delete(take);
        resolve(message);
      };
      this.#waiting.add(take);
    });
  }

  #send(request: BotRequest): void {
    // The process may end at any instant. Callers that wait for an answer learn that from its exit.
    this.#child.send(request, () => undefined);
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** Resolves when the process has ended. @throws when it was not killed. */
  async killed(): Promise<void> {
    const signal = this.#errors === '' ? await this.#ended : null;
    if (signal !== 'SIGKILL') throw new Error(`the bot ended by itself: ${this.#errors}`);
  }

  async exited(): Promise<void> {
    await this.#ended;
  }
}
