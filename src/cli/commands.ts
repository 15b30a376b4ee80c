import type { RegisterCommand } from './cli-context.js';

/** Commands that one module adds to the program. */
interface CommandModule {
  /** Names of the commands, with their text in the list of all commands; undefined for a command that the list leaves out. */
  readonly summaries: Readonly<Record<string, string | undefined>>;
  /** Whether the commands describe all commands, and so need them loaded. @defaultValue false */
  readonly listsAll?: true;
  readonly load: () => Promise<RegisterCommand>;
}

/** All commands, in the order of the list. A module is loaded only for its own commands, not for the list: loading is most of a short command's time. */
export const COMMANDS: readonly CommandModule[] = [
  {
    summaries: {
      backtest: 'replay stored candles',
    },
    load: async () => (await import('./backtest/backtest-command.js')).registerBacktest,
  },
  {
    summaries: {
      sweep: 'backtest many combinations of parameters',
    },
    load: async () => (await import('./sweep/sweep-command.js')).registerSweep,
  },
  {
    summaries: {
      significance: 'judge whether the best of many trials is luck',
    },
    load: async () => (await import('./significance/significance-command.js')).registerSignificance,
  },
  {
    summaries: {
      'walk-forward':
        'choose parameters on one part of the range and test them on the next, fold by fold',
    },
    load: async () => (await import('./walk-forward/walk-forward-command.js')).registerWalkForward,
  },
  {
    summaries: {
      trials: 'count and list all trials of a ledger',
    },
    load: async () => (await import('./trials/trials-command.js')).registerTrials,
  },
  {
    summaries: {
      'monte-carlo': 'estimate the range of results by reordering a run',
    },
    load: async () => (await import('./monte-carlo/monte-carlo-command.js')).registerMonteCarlo,
  },
  {
    summaries: {
      worker: 'run combinations of searches on a queue',
    },
    load: async () => (await import('./queue/worker-command.js')).registerWorker,
  },
  {
    summaries: {
      queue: 'show, drain or cancel searches on a queue',
    },
    load: async () => (await import('./queue/queue-command.js')).registerQueue,
  },
  {
    summaries: {
      audit: 'test a strategy for look-ahead and for runs that differ',
    },
    load: async () => (await import('./audit/audit-command.js')).registerAudit,
  },
  {
    summaries: {
      fuzz: 'search for a market in which a strategy fails or breaks a law',
    },
    load: async () => (await import('./fuzz/fuzz-command.js')).registerFuzz,
  },
  {
    summaries: {
      bundle: 'pack a run into one file',
      verify: 'run a bundle again and compare the results',
    },
    load: async () => (await import('./bundle/bundle-command.js')).registerBundle,
  },
  {
    summaries: {
      report: 'write an HTML page of a run or a sweep',
    },
    load: async () => (await import('./report/report-command.js')).registerReport,
  },
  {
    summaries: {
      result: 'show the result of a paper or live bot so far',
    },
    load: async () => (await import('./result/result-command.js')).registerResult,
  },
  {
    summaries: {
      runs: 'list the results of a folder, or the runs of a ledger',
    },
    load: async () => (await import('./runs/runs-command.js')).registerRuns,
  },
  {
    summaries: {
      exchange: 'serve the local exchange',
    },
    load: async () => (await import('./exchange/exchange-command.js')).registerExchange,
  },
  {
    summaries: {
      check: 'validate a bot, its plugin and its data',
    },
    load: async () => (await import('./check/check-command.js')).registerCheck,
  },
  {
    summaries: {
      parity: 'compare a backtest with the live code',
    },
    load: async () => (await import('./parity/parity-command.js')).registerParity,
  },
  {
    summaries: {
      replay: 'reproduce a run from its journal',
    },
    load: async () => (await import('./replay/replay-command.js')).registerReplay,
  },
  {
    summaries: {
      why: 'explain an instant of a run',
    },
    load: async () => (await import('./why/why-command.js')).registerWhy,
  },
  {
    summaries: {
      journal: 'check the journal of a bot',
    },
    load: async () => (await import('./journal/journal-command.js')).registerJournal,
  },
  {
    summaries: {
      live: 'trade with real orders',
      paper: 'trade on live market data without real orders',
    },
    load: async () => (await import('./live/live-commands.js')).registerLive,
  },
  {
    summaries: {
      'guard-process': undefined,
    },
    load: async () => (await import('./live/guard/guard-command.js')).registerGuard,
  },
  {
    summaries: {
      status: 'show the state of a running bot',
      pause: 'stop the entries of a bot until resumed',
      resume: 'end a pause or a halt of a bot',
      halt: 'stop the entries of a bot and cancel its working entries',
      flatten: 'cancel all orders and close all positions of a bot',
      'restart-strategy': 'restart the failed strategy of a bot',
      reload: 'replace the strategy of a bot with its current version',
      guard: 'update the record of triggers at the venue',
    },
    load: async () => (await import('./live/control-commands.js')).registerControl,
  },
  {
    summaries: {
      data: 'import, download, fetch, record, sync, list, show, check, export, resample or make candles',
    },
    load: async () => (await import('./data/register-data.js')).registerData,
  },
  {
    summaries: {
      call: 'call an endpoint of the venue',
    },
    load: async () => (await import('./call/call-command.js')).registerCall,
  },
  {
    summaries: {
      mcp: 'serve research commands to an assistant over MCP',
    },
    listsAll: true,
    load: async () => (await import('./mcp/mcp-command.js')).registerMcp,
  },
  {
    summaries: {
      new: 'create a strategy',
    },
    load: async () => (await import('./scaffold/new-command.js')).registerNew,
  },
  {
    summaries: {
      schema: 'print the JSON Schema of a bot file or a document',
    },
    load: async () => (await import('./schema/schema-command.js')).registerSchema,
  },
  {
    summaries: {
      completion: 'print a completion script for a shell',
    },
    listsAll: true,
    load: async () => (await import('./completion/completion-command.js')).registerCompletion,
  },
];
