import type { BotStatus } from '../../live/index.js';
import type { TextOutput } from '../cli-context.js';
import { renderStatus, shorten } from './render-status.js';

/** Longest list for one bot. */
const MAX_ROWS = 8;
/** Cuts a long line at the edge of the terminal, so that each line takes exactly one row. */
const [NO_WRAP, WRAP] = ['\u001b[?7l', '\u001b[?7h'];
const CLEAR_BELOW = '\u001b[J';

/** Shows the bots at the bottom of a terminal; log lines scroll past above them. */
export class StatusView {
  readonly #output: TextOutput;
  readonly #color: boolean;
  #lines: readonly string[] = [];
  #drawn = 0;

  constructor(output: TextOutput, options: { readonly color: boolean }) {
    this.#output = output;
    this.#color = options.color;
  }

  /** Draws the present state of the bots. */
  show(statuses: readonly BotStatus[]): void {
    this.#lines = this.#fit(
      statuses.map((status) => renderStatus(status, { color: this.#color, maxRows: MAX_ROWS })),
    );
    this.#output.write(`${this.#erase()}${this.#draw()}`);
  }

  /** Writes a permanent line above the bots. */
  print(line: string): void {
    this.#output.write(`${this.#erase()}${line}\n${this.#draw()}`);
  }

  /** Removes the bots from the terminal. */
  clear(): void {
    this.#lines = [];
    if (this.#drawn > 0) this.#output.write(this.#erase());
  }

  /** Fits the lines into the terminal. If there is not enough room, only the first line of each bot is shown, and the bots beyond it are counted. */
  #fit(bots: readonly (readonly string[])[]): readonly string[] {
    const all = bots.flatMap((lines) => ['', ...lines]);
    const room = (this.#output.rows ?? 24) - 2;
    return all.length <= room
      ? all
      : shorten(
          bots.map(([first = '']) => first),
          room,
        );
  }

  #erase(): string {
    if (this.#drawn === 0) return '';
    const up = `\u001b[${String(this.#drawn)}A\r${CLEAR_BELOW}`;
    this.#drawn = 0;
    return up;
  }

  #draw(): string {
    this.#drawn = this.#lines.length;
    if (this.#drawn === 0) return '';
    return `${NO_WRAP}${this.#lines.map((line) => `${line}\n`).join('')}${WRAP}`;
  }
}
