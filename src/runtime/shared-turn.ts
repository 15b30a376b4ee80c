/** What a scheduler of RxJS that works in turns keeps for its next one, beside the timer of that turn. */
export interface Turn {
  actions: readonly { readonly closed: boolean }[];
  /** Handle of the turn's timer. */
  _scheduled: unknown;
}

/** The next turn of a scheduler that the whole process shares, so that each engine finds in it what it left there itself. */
export class SharedTurn {
  readonly #scheduler: Turn;
  readonly #cancel: (handle: unknown) => void;

  constructor(scheduler: unknown, cancel: (handle: unknown) => void) {
    this.#scheduler = scheduler as Turn;
    this.#cancel = cancel;
  }

  get isEmpty(): boolean {
    return this.#scheduler.actions.length === 0;
  }

  take(): Turn {
    const { actions, _scheduled } = this.#scheduler;
    this.#scheduler.actions = [];
    this.#scheduler._scheduled = undefined;
    return { actions, _scheduled };
  }

  /** Puts back what was taken. Actions that were canceled meanwhile are gone; a turn that has none left is canceled with them. */
  put({ actions, _scheduled }: Turn): void {
    const live = actions.filter(({ closed }) => !closed);
    if (live.length > 0) Object.assign(this.#scheduler, { actions: live, _scheduled });
    else if (_scheduled !== undefined) this.#cancel(_scheduled);
  }
}
