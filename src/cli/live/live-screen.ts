import type { BotControl } from '../../live/index.js';
import { usesColor, type CliContext } from '../cli-context.js';
import type { LiveFlags } from './live-flags.js';
import { prettyLine } from './pretty-line.js';
import { StatusView } from './status-view.js';

const REDRAW_MS = 1_000;

/** Where log lines, messages and the view of a session go. */
export interface LiveScreen {
  /** Takes a line of a JSON log. */
  log(line: string): void;
  /** Says something to the operator. */
  say(line: string): void;
  /** Begins to draw the bots, on a terminal. */
  watch(bots: readonly BotControl[]): void;
  /** Draws them no more. */
  close(): void;
}

/**
 * On a terminal: log lines for people, and below them the bots, drawn anew once a second. Elsewhere: lines of JSON on stdout, messages on
 * stderr.
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
