import type { TextOutput } from './cli-context.js';

/** Ten updates a second are as many as a person can read. */
const MIN_PAUSE_MS = 100;
const CLEAR_LINE = '\r\u001b[K';

/** Shows progress in one line of a terminal; writes nothing if the output is no terminal. */
export class ProgressLine {
  readonly #output: TextOutput;
  #shown = '';
  #shownAt = Number.NEGATIVE_INFINITY;

  constructor(output: TextOutput) {
    this.#output = output;
  }

  show(text: string): void {
    if (!this.#output.isTerminal || text === this.#shown) return;
    const now = performance.now();
    if (now - this.#shownAt < MIN_PAUSE_MS) return;
    this.#shownAt = now;
    this.#shown = text;
    this.#output.write(`${CLEAR_LINE}${text.slice(0, (this.#output.columns ?? 80) - 1)}`);
  }

  /** Removes the line, so that the next output starts on an empty line. */
  clear(): void {
    if (this.#shown !== '') this.#output.write(CLEAR_LINE);
    this.#shown = '';
  }
}
