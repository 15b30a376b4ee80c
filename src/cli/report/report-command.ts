import type { RegisterCommand } from '../cli-context.js';
import { collect } from '../bot/bot-options.js';
import type { ReportFlags } from './run-report.js';

/** Adds `report`: writes a page that shows a run, a sweep, or several runs side by side. */
export const registerReport: RegisterCommand = (program, context) => {
  program
    .command('report')
    .description(
      'Writes one HTML file of a result, a sweep, a walk-forward or an audit, or a comparison of several results. The file needs no network: you can keep it, send it and open it anywhere.',
    )
    .argument(
      '<result...>',
      'JSON document of backtest, sweep, walk-forward or audit; several results are compared',
    )
    .option('--out <file>', 'file to write (default: beside the first result)')
    .option('--config <file>', 'YAML file of the bot; its archive has the candles of the run')
    .option('--set <path=value>', 'replace the value of a key, as in the run; repeatable', collect)
    .option('--journal <file>', "the run's journal, which has the reason of each order")
    .option('--audit <file>', "audit of the run's bot, to add to the page")
    .option(
      '--significance <file>',
      'judgment of the search (significance --json), to add to the page of a sweep or walk-forward',
    )
    .option('--open', 'open it in the browser')
    .action(async (files: string[], flags: ReportFlags) => {
      const { runReport } = await import('./run-report.js');
      await runReport(files, flags, context);
    });
};
