/** The actions that a scheduler of RxJS keeps for its next turn, with the timer of that turn. */
export interface ScheduledActions {
  actions: readonly { readonly closed: boolean }[];
  /** Handle of the turn's timer. */
  _scheduled: unknown;
}

/** The next turn of a scheduler that the whole process shares. It lets each engine find only its own actions there. */
export class SharedScheduler {
  readonly #scheduler: ScheduledActions;
  readonly #cancel: (handle: unknown) => void;

  constructor(scheduler: unknown, cancel: (handle: unknown) => void) {
    this.#scheduler = scheduler as ScheduledActions;
    this.#cancel = cancel;
  }

  get isEmpty(): boolean {
    return this.#scheduler.actions.length === 0;
  }

  take(): ScheduledActions {
    const { actions, _scheduled } = this.#scheduler;
    this.#scheduler.actions = [];
    this.#scheduler._scheduled = undefined;
    return { actions, _scheduled };
  }

  /** Puts back the taken actions, without those that were canceled meanwhile. If none is left, cancels the turn. */
  put({ actions, _scheduled }: ScheduledActions): void {
    const live = actions.filter(({ closed }) => !closed);
    if (live.length > 0) Object.assign(this.#scheduler, { actions: live, _scheduled });
    else if (_scheduled !== undefined) this.#cancel(_scheduled);
  }
}
