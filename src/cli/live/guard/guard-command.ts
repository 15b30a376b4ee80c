import { Option } from 'commander';
import { collect } from '../../bot/bot-options.js';
import type { RegisterCommand } from '../../cli-context.js';
import type { LiveFlags } from '../live-flags.js';
import { GUARD_PROCESS } from './spawn-guard.js';

/** Adds {@link GUARD_PROCESS}, which `live` starts beside its bots. It is in no list, because users do not type it. */
export const registerGuard: RegisterCommand = (program, context) => {
  program
    .command(GUARD_PROCESS, { hidden: true })
    .description(
      'Guards the positions of the bots of another process if that process dies; started by live.',
    )
    .argument('<config...>', 'YAML files of the bots')
    .option('--set <path=value>', 'replace the value of a key, in YAML; repeatable', collect)
    .addOption(new Option('--log <form>', 'format of the log').choices(['pretty', 'json']))
    .addOption(
      new Option('--log-level <level>', 'lowest level to log')
        .choices(['debug', 'info', 'warn'])
        .default('info'),
    )
    .action(
      async (files: readonly string[], flags: Pick<LiveFlags, 'set' | 'log' | 'logLevel'>) => {
        const { runGuard } = await import('./run-guard.js');
        await runGuard(files, flags, context);
      },
    );
};
