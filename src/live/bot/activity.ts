import type { SessionTime } from '../session/session-time.js';

/** Counts work that is under way, so that callers can wait until all of it has ended. */
export class Activity {
  #underWay = 0;
  #waiting: (() => void)[] = [];

  get isIdle(): boolean {
    return this.#underWay === 0;
  }

  /** Counts a piece of work from now until the returned function is called; a second call does nothing. */
  begin(): () => void {
    this.#underWay += 1;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#underWay -= 1;
      if (this.#underWay > 0) return;
      for (const resolve of this.#waiting.splice(0)) resolve();
    };
  }

  /** Counts a promise until it settles. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    const end = this.begin();
    try {
      return await work();
    } finally {
      end();
    }
  }

  /** Resolves when nothing is under way; at once if nothing is. */
  async idle(): Promise<void> {
    while (this.#underWay > 0)
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
  }

  /** Resolves when nothing is under way, or after `delayMs` milliseconds. */
  async idleWithin(delayMs: number, time: Pick<SessionTime, 'after'>): Promise<void> {
    if (this.isIdle) return;
    let cancel = (): void => undefined;
    const isOver = new Promise<void>((resolve) => {
      cancel = time.after('arrivals', delayMs, resolve);
    });
    await Promise.race([this.idle(), isOver]);
    cancel();
  }
}
