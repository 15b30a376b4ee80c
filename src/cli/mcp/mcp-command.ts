import type { RegisterCommand } from '../cli-context.js';
import type { McpFlags } from './serve-mcp.js';

/** Adds `mcp`: serves research to an assistant. */
export const registerMcp: RegisterCommand = (program, context) => {
  program
    .command('mcp')
    .description(
      'Serves commands of research and what bots show as tools of the Model Context Protocol, and the docs as resources, over standard input and output, until the input ends.',
    )
    .option('--root <folder>', 'folder that tools work in; paths outside of it are refused', '.')
    .option('--results <folder>', 'where documents are written, below --root', 'results')
    .option('--control', 'let it pause and halt bots, too; it never resumes or trades')
    .action(async (flags: McpFlags) => {
      const { serveMcp } = await import('./serve-mcp.js');
      await serveMcp(program, flags, context);
    });
};
