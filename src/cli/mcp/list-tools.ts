import type { Command, Option } from 'commander';
import { missing } from '../../domain/index.js';
import { collect } from '../bot/bot-options.js';

/** JSON Schema of a tool's input, with the members that tools need. */
interface InputSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, PropertySchema>>;
  readonly required: string[];
  readonly additionalProperties: false;
}

interface PropertySchema {
  readonly type: 'string' | 'boolean' | 'array';
  readonly description: string;
  readonly enum?: readonly string[];
  readonly items?: { readonly type: 'string' };
}

/** A command that an assistant may call. */
export interface CommandTool {
  readonly name: string;
  readonly description: string;
  readonly input: InputSchema;
  /** Words of the command, such as `data`, `list`. */
  readonly path: readonly string[];
  /** Names of properties that are arguments, in order; the others are options. */
  readonly arguments: readonly string[];
  /** Flags of the properties that are options. */
  readonly flags: ReadonlyMap<string, string>;
  /** Properties whose values are files or folders. */
  readonly paths: ReadonlySet<string>;
  /** Whether its document is stored as a file. */
  readonly isKept: boolean;
}

/** Commands whose documents are stored, because other commands take them as input. */
const RESEARCH = [
  ['backtest'],
  ['sweep'],
  ['walk-forward'],
  ['monte-carlo'],
  ['audit'],
  ['fuzz'],
  ['significance'],
];
const LOOKS = [
  ['check'],
  ['trials'],
  ['runs'],
  ['why'],
  ['status'],
  ['data', 'list'],
  ['data', 'show'],
];
/** Commands that lower risk. No tool and no flag can raise it. */
const CONTROL = [['pause'], ['halt']];

/** Options that write files, call a venue or other machines, run without end, or open a window. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...['--json', '--journal', '--report', '--trades', '--out', '--ledger', '--no-ledger'],
  ...['--write', '--yes'],
  ...['--online', '--watch', '--log', '--open', '--help'],
  ...['--queue', '--queue-file', '--force-open-queue', '--secret-file', '--priority'],
  ...['--queue-ca', '--worker-wait'],
]);

/** Arguments that are no files or folders. Any other is taken for one, so that a new argument is kept within the root. */
const OTHER_ARGUMENTS: ReadonlySet<string> = new Set(['instrument', 'interval']);

function takesPath({ flags }: Option): boolean {
  return /<(?:file|folder|dir)>/.test(flags);
}

/** Makes the tools from the commands of a program, so that each command is declared in one place only. */
export function listTools(
  program: Command,
  { control }: { readonly control: boolean },
): readonly CommandTool[] {
  const kept = new Set(RESEARCH);
  return [...RESEARCH, ...LOOKS, ...(control ? CONTROL : [])].map((path) =>
    toolOf(commandAt(program, path), path, kept.has(path)),
  );
}

function commandAt(program: Command, path: readonly string[]): Command {
  return path.reduce<Command>(
    (parent, name) =>
      parent.commands.find((command) => command.name() === name) ??
      missing(`command ${path.join(' ')}`),
    program,
  );
}

function toolOf(command: Command, path: readonly string[], isKept: boolean): CommandTool {
  const help = command.createHelp();
  const options = help.visibleOptions(command).filter(({ long }) => !LEFT_OUT.has(long ?? ''));
  const own = command.registeredArguments;
  const described = [
    ...own.map((argument) => {
      const isList = argument.variadic;
      return [
        argument.name(),
        propertyOf(argument.description, isList, argument.argChoices),
      ] as const;
    }),
    ...options.map((option) => [option.attributeName(), optionProperty(option)] as const),
  ];
  return {
    name: path.join('_').replaceAll('-', '_'),
    description: command.description(),
    input: {
      type: 'object',
      properties: Object.fromEntries(described),
      required: own.filter(({ required }) => required).map((argument) => argument.name()),
      additionalProperties: false,
    },
    path,
    arguments: own.map((argument) => argument.name()),
    flags: new Map(options.map((option) => [option.attributeName(), option.long ?? ''])),
    paths: new Set([
      ...own.map((argument) => argument.name()).filter((name) => !OTHER_ARGUMENTS.has(name)),
      ...options.filter(takesPath).map((option) => option.attributeName()),
    ]),
    isKept,
  };
}

function optionProperty(option: Option): PropertySchema {
  if (option.isBoolean()) return { type: 'boolean', description: option.description };
  return propertyOf(option.description, option.parseArg === collect, option.argChoices);
}

function propertyOf(
  description: string,
  isList: boolean,
  choices: readonly string[] | undefined,
): PropertySchema {
  return isList
    ? { type: 'array', description, items: { type: 'string' } }
    : { type: 'string', description, ...(choices && { enum: choices }) };
}
