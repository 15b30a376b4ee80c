import { stat } from 'node:fs/promises';
import path from 'node:path';
import type * as Sdk from '@modelcontextprotocol/server';
import type * as Stdio from '@modelcontextprotocol/server/stdio';
import type { Command } from 'commander';
import { TradingError, UsageError } from '../../domain/index.js';
import type { CliContext } from '../cli-context.js';
import { readVersion } from '../read-version.js';
import { callCommand, type CallGround } from './call-command.js';
import type { ToolInput } from './command-words.js';
import { errorCodes, listPages, type DocsPage } from './list-documents.js';
import { listTools, type CommandTool } from './list-tools.js';
import { requireWithin } from './require-within.js';

export interface McpFlags {
  readonly root: string;
  readonly results: string;
  readonly control?: true;
}

const INSTRUCTIONS = `Research on trading strategies: backtests, sweeps, and tests that tell an edge from luck. Strategies and bots are files below the root;
read the docs (evenkeel://docs/strategies, evenkeel://docs/cli) before you write one. A ledger counts every tested combination: before you trust
the best one, call significance. Nothing here places an order.`;

/**
 * Serves until the input ends or the signal is aborted.
 *
 * @throws {UsageError} `E_MCP_DRIVER` if the package for the protocol is not installed, `E_MCP_PATH` if `--root` is no folder, or `--results` is outside of it.
 */
export async function serveMcp(
  program: Command,
  flags: McpFlags,
  { cwd, env, signal }: CliContext,
): Promise<void> {
  const root = path.resolve(cwd, flags.root);
  const isFolder = await stat(root).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder)
    throw new UsageError('E_MCP_PATH', `--root: expected a folder, received ${flags.root}`);
  requireWithin(root, { name: '--results', given: flags.results });
  const { sdk, stdio } = await loadSdk();
  const ground = { root, results: path.resolve(root, flags.results), env };
  const tools = listTools(program, { control: flags.control === true });
  const pages = await listPages();
  const transport = new stdio.StdioServerTransport();
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    signal.addEventListener('abort', () => {
      resolve();
    });
  });
  const running = new Set<Promise<unknown>>();
  const handle = stdio.serveStdio(() => createServer(sdk, { tools, pages, ground, running }), {
    transport,
  });
  await ended;
  // It cancels the calls that run. Their commands need a moment to end, and their empty files are removed then.
  await handle.close();
  await Promise.allSettled(running);
}

/** Loads the optional package for the protocol on first use. */
async function loadSdk(): Promise<{
  readonly sdk: typeof Sdk;
  readonly stdio: typeof Stdio;
}> {
  try {
    return {
      sdk: await import('@modelcontextprotocol/server'),
      stdio: await import('@modelcontextprotocol/server/stdio'),
    };
  } catch (cause: unknown) {
    throw new UsageError(
      'E_MCP_DRIVER',
      'mcp needs the package @modelcontextprotocol/server, which cannot be loaded; install it with: npm install @modelcontextprotocol/server',
      { cause },
    );
  }
}

interface Served {
  readonly tools: readonly CommandTool[];
  readonly pages: readonly DocsPage[];
  readonly ground: CallGround;
  /** Calls that have not ended. */
  readonly running: Set<Promise<unknown>>;
}

function createServer(
  { McpServer, ResourceTemplate, fromJsonSchema }: typeof Sdk,
  { tools, pages, ground, running }: Served,
): Sdk.McpServer {
  const server = new McpServer(
    { name: 'evenkeel', version: readVersion() },
    { instructions: INSTRUCTIONS },
  );
  const research = new Turns();
  for (const tool of tools)
    server.registerTool(
      tool.name,
      {
        description: tool.description,
        inputSchema: fromJsonSchema<ToolInput>({ ...tool.input }),
        annotations: { destructiveHint: false, openWorldHint: false },
      },
      async (input, { mcpReq: { signal } }) => {
        const call = (): Promise<Sdk.CallToolResult> =>
          callCommand(tool, input, ground, signal).catch(asAnswer);
        // A search uses every core, so the next one waits.
        const answer = tool.isKept ? research.take(call) : call();
        running.add(answer);
        return answer.finally(() => running.delete(answer));
      },
    );
  for (const { name, title, uri, text } of pages)
    server.registerResource(name, uri, { title, mimeType: 'text/markdown' }, () => ({
      contents: [{ uri, mimeType: 'text/markdown', text }],
    }));
  const codes = errorCodes(pages);
  server.registerResource(
    'error',
    new ResourceTemplate('evenkeel://errors/{code}', { list: undefined }),
    { title: 'What an error code means', mimeType: 'text/plain' },
    (uri, { code }) => {
      const text = codes.get(String(code)) ?? `there is no code ${String(code)}`;
      return { contents: [{ uri: uri.href, mimeType: 'text/plain', text }] };
    },
  );
  return server;
}

/** Turns an error before the start of a command into an answer for the assistant. */
function asAnswer(error: unknown): Sdk.CallToolResult {
  if (!(error instanceof TradingError)) throw error;
  return { content: [{ type: 'text', text: `${error.message} (${error.code})` }], isError: true };
}

/** Runs work one after the other. */
class Turns {
  #last: Promise<unknown> = Promise.resolve();

  take<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work, work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
