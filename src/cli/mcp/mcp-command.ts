import type { RegisterCommand } from '../cli-context.js';
import type { McpFlags } from './serve-mcp.js';

/** Adds `mcp`: serves research to an assistant. */
export const registerMcp: RegisterCommand = (program, context) => {
  program
    .command('mcp')
    .description(
      'Serves research commands and the status of bots as tools of the Model Context Protocol, and the docs as resources. Uses standard input and output until the input ends.',
    )
    .option('--root <folder>', 'folder that tools work in; paths outside it are refused', '.')
    .option('--results <folder>', 'folder for documents, below --root', 'results')
    .option('--control', 'also allow it to pause and halt bots; it never resumes or trades')
    .action(async (flags: McpFlags) => {
      const { serveMcp } = await import('./serve-mcp.js');
      await serveMcp(program, flags, context);
    });
};
