import type { CommandTool } from './list-tools.js';

export type ToolInput = Readonly<Record<string, unknown>>;

interface WordsOptions {
  readonly json: string;
  readonly ledger?: string | undefined;
  readonly results?: string | undefined;
}

/** The folder that `runs` lists. */
const PLACE = 'place';

/**
 * Returns the command line for a call of a tool, without the program's name. A value cannot become another option: values follow a `=`, and
 * arguments follow `--`.
 *
 * @param json - file of the document. `ledger`: file that keeps the run as a trial, unless the command has an own one. `results`: folder that
 *   `runs` lists where a call names none.
 */
export function commandWords(
  tool: CommandTool,
  input: ToolInput,
  { json, ledger, results }: WordsOptions,
): readonly string[] {
  const said = Object.entries(input).filter(([, value]) => value !== undefined && value !== false);
  const options = said.flatMap(([name, value]) => {
    const flag = tool.flags.get(name);
    if (flag === undefined) return [];
    return value === true ? [flag] : listOf(value).map((text) => `${flag}=${text}`);
  });
  const given = tool.arguments.flatMap((name) =>
    listOf(input[name] ?? (name === PLACE ? results : undefined)),
  );
  const trial = ledger === undefined ? [] : [`--ledger=${ledger}`];
  return [...tool.path, ...options, ...trial, `--json=${json}`, '--', ...given];
}

/** The texts of a value. The schema has allowed only a text or a list of texts. */
export function listOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map(String);
  return typeof value === 'string' ? [value] : [];
}
