import { closeSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Command, Option } from 'commander';
import { UsageError } from '../domain/index.js';

/** Options whose file is written, as a whole. */
const WRITTEN = new Set(['--json', '--trades', '--report', '--out']);

interface NamedFile {
  /** The option or argument, for messages. */
  readonly name: string;
  readonly place: string;
  readonly isWritten: boolean;
}

/**
 * Checks what no command allows: an empty value, and a file that is written and also named for something else, which would destroy it. So would `--json
 * candles.csv` in `data check`: an option whose value may be left out takes the next word.
 *
 * @throws {UsageError} `E_USAGE` naming the option or argument.
 */
export function checkWords(command: Command, cwd: string): void {
  const files: NamedFile[] = [];
  for (const { name, value, isFile, mayBeLeftOut } of wordsOf(command)) {
    if (value === '')
      throw new UsageError('E_USAGE', `${name}: expected a value, received empty text`);
    if (!isFile || value === '-') continue;
    if (mayBeLeftOut && isOtherFile(path.resolve(cwd, value)))
      throw new UsageError(
        'E_USAGE',
        `${name}: expected a new file, or one with JSON, received "${value}"; to read that file, name it before ${name}`,
      );
    const file = { name, place: placeOf(path.resolve(cwd, value)), isWritten: WRITTEN.has(name) };
    const other = files.find(({ place }) => place === file.place);
    if (other !== undefined && (other.isWritten || file.isWritten))
      throw new UsageError(
        'E_USAGE',
        `${name}: expected another file than that of ${other.name}, received "${value}" for both`,
      );
    files.push(file);
  }
}

interface Word {
  readonly name: string;
  readonly value: string;
  readonly isFile: boolean;
  /** Whether it is the value of an option that needs none. */
  readonly mayBeLeftOut: boolean;
}

/** The arguments and the values of options that the user wrote. */
function wordsOf(command: Command): readonly Word[] {
  const written = command.registeredArguments.flatMap((argument, index) => {
    const values = argument.variadic ? command.args.slice(index) : [command.args[index]];
    const name = `<${argument.name()}>`;
    return values.map((value) => ({ name, value, isFile: true, mayBeLeftOut: false }));
  });
  const options = command.options
    .filter((option) => command.getOptionValueSource(option.attributeName()) === 'cli')
    .flatMap((option) => {
      const given: unknown = command.getOptionValue(option.attributeName());
      const values: readonly unknown[] = Array.isArray(given) ? given : [given];
      const name = option.long ?? option.flags;
      const { optional: mayBeLeftOut } = option;
      return values.map((value) => ({ name, value, isFile: takesFile(option), mayBeLeftOut }));
    });
  return [...written, ...options].filter((word): word is Word => typeof word.value === 'string');
}

function takesFile({ flags }: Option): boolean {
  return /<(?:file|config)>|\[file\]/.test(flags);
}

/** Whether there is such a file, and it does not begin as JSON, which an earlier call may have written. What cannot be read is none: writing it reports why. */
function isOtherFile(file: string): boolean {
  try {
    if (!statSync(file).isFile()) return false;
    const beginning = Buffer.alloc(1);
    const handle = openSync(file, 'r');
    const count = readSync(handle, beginning);
    closeSync(handle);
    return count > 0 && !/[[{]/.test(beginning.toString('latin1'));
  } catch {
    return false;
  }
}

/** The file behind all links. Of a file that does not exist, the folder is looked up; if there is none, it is the path itself. */
function placeOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    const folder = path.dirname(file);
    return folder === file ? file : path.join(placeOf(folder), path.basename(file));
  }
}
