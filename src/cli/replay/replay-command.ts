import type { RegisterCommand } from '../cli-context.js';
import { addRunOptions, type RunFlags } from './run-options.js';

/** Adds `replay`: gives a run's events to a fresh engine and compares its commands. */
export const registerReplay: RegisterCommand = (program, context) => {
  addRunOptions(program.command('replay'))
    .description(
      'Plays the events of a journal to a new engine and compares every command. Sends nothing. Exits with 3 at the first difference.',
    )
    .action(async (run: string, flags: RunFlags) => {
      const { runReplay } = await import('./run-replay.js');
      await runReplay(run, flags, context);
    });
};
