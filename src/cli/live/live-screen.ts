import type { BotControl } from '../../live/index.js';
import { usesColor, type CliContext } from '../cli-context.js';
import type { LiveFlags } from './live-flags.js';
import { prettyLine } from './pretty-line.js';
import { StatusView } from './status-view.js';

const REDRAW_MS = 1_000;

/** The output of a session: log lines, messages and the view of the bots. */
export interface LiveScreen {
  /** Takes a line of a JSON log. */
  log(line: string): void;
  /** Writes a line for the operator. */
  say(line: string): void;
  /** Starts to draw the bots, if the output is a terminal. */
  watch(bots: readonly BotControl[]): void;
  /** Stops drawing the bots. */
  close(): void;
}

/**
 * Opens the output. On a terminal it has log lines for people, and below them the bots, redrawn once a second. Otherwise it has lines of JSON on
 * stdout, and messages on stderr.
 */
export function openScreen(
  flags: Pick<LiveFlags, 'log' | 'view'>,
  context: CliContext,
): LiveScreen {
  const { stdout, stderr } = context;
  const color = usesColor(context);
  const isPretty = (flags.log ?? (stdout.isTerminal ? 'pretty' : 'json')) === 'pretty';
  const view =
    isPretty && stdout.isTerminal && flags.view ? new StatusView(stdout, { color }) : undefined;
  let timer: NodeJS.Timeout | undefined;
  const print = (line: string): void => {
    if (view === undefined) stdout.write(`${line}\n`);
    else view.print(line);
  };
  return {
    log: (line) => print(isPretty ? prettyLine(line, { color }) : line.trimEnd()),
    say: (line) => {
      if (view === undefined) stderr.write(`${line}\n`);
      else view.print(line);
    },
    watch: (bots) => {
      if (view === undefined) return;
      const draw = (): void => view.show(bots.map((bot) => bot.status()));
      draw();
      timer = setInterval(draw, REDRAW_MS);
    },
    close: () => {
      clearInterval(timer);
      view?.clear();
    },
  };
}
