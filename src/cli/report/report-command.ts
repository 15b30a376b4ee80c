import type { RegisterCommand } from '../cli-context.js';
import { collect } from '../bot/bot-options.js';
import type { ReportFlags } from './run-report.js';

/** Adds `report`: writes a page that shows a run, a sweep, or several runs side by side. */
export const registerReport: RegisterCommand = (program, context) => {
  program
    .command('report')
    .description(
      'Writes one HTML file that shows a result, a sweep, a walk-forward, an audit, or several results beside one another. The file asks for nothing: it can be kept, sent and opened without a network.',
    )
    .argument(
      '<result...>',
      'result of backtest, sweep, walk-forward or audit as JSON; of several, a comparison is written',
    )
    .option('--out <file>', 'where to write it; beside the first result unless it is said')
    .option('--config <file>', "the bot's YAML file, whose archive has the candles of the run")
    .option('--set <path=value>', 'as in the run: another value for a key; repeatable', collect)
    .option('--journal <file>', "the run's journal: why each order was made")
    .option('--audit <file>', "an audit of the run's bot: it becomes a part of the page")
    .option(
      '--significance <file>',
      'a judgment (significance --json) of the search: it becomes a part of the page of a sweep or walk-forward',
    )
    .option('--open', 'open it in the browser')
    .action(async (files: string[], flags: ReportFlags) => {
      const { runReport } = await import('./run-report.js');
      await runReport(files, flags, context);
    });
};
