import type { BotStatus } from '../../live/index.js';
import type { TextOutput } from '../cli-context.js';
import { renderStatus } from './render-status.js';

/** Longest list that is shown of one bot. */
const MAX_ROWS = 8;
/** A long line is cut at the edge of the terminal instead of taking a second one, so that lines can be counted. */
const [NO_WRAP, WRAP] = ['\u001b[?7l', '\u001b[?7h'];
const CLEAR_BELOW = '\u001b[J';

/** What bots do, drawn anew at the bottom of a terminal; log lines scroll past above it. */
export class StatusView {
  readonly #output: TextOutput;
  readonly #color: boolean;
  #lines: readonly string[] = [];
  #drawn = 0;

  constructor(output: TextOutput, options: { readonly color: boolean }) {
    this.#output = output;
    this.#color = options.color;
  }

  /** Draws the bots as they are now. */
  show(statuses: readonly BotStatus[]): void {
    this.#lines = this.#fit(
      statuses.map((status) => renderStatus(status, { color: this.#color, maxRows: MAX_ROWS })),
    );
    this.#output.write(`${this.#erase()}${this.#draw()}`);
  }

  /** Writes a line that stays, above the bots. */
  print(line: string): void {
    this.#output.write(`${this.#erase()}${line}\n${this.#draw()}`);
  }

  /** Takes the bots away, so that what follows stands alone. */
  clear(): void {
    this.#lines = [];
    if (this.#drawn > 0) this.#output.write(this.#erase());
  }

  /** Where not all fits, the first line of each bot says what matters. */
  #fit(bots: readonly (readonly string[])[]): readonly string[] {
    const all = bots.flatMap((lines) => ['', ...lines]);
    const room = (this.#output.rows ?? 24) - 2;
    return all.length <= room ? all : bots.map(([first = '']) => first).slice(0, room);
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
