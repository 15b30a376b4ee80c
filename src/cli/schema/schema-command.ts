import type { ZodType } from 'zod';
import type { RegisterCommand } from '../cli-context.js';

interface SchemaFlags {
  readonly result?: true;
  readonly sweep?: true;
  readonly walkForward?: true;
  readonly cpcv?: true;
  readonly significance?: true;
  readonly monteCarlo?: true;
  readonly audit?: true;
  readonly fuzz?: true;
  readonly openapi?: true;
}

/** Adds `schema`: prints schemas of files and interfaces, for editors and programs. */
export const registerSchema: RegisterCommand = (program, context) => {
  const command = program
    .command('schema')
    .description('Prints the JSON Schema of the YAML file of a bot, for editors.')
    .option('--result', 'the JSON Schema of a result file instead')
    .option('--sweep', 'the JSON Schema of the document of a sweep instead')
    .option('--walk-forward', 'the JSON Schema of the document of a walk-forward instead')
    .option('--cpcv', 'the JSON Schema of the document of walk-forward --cpcv instead')
    .option('--significance', 'the JSON Schema of the document of significance instead')
    .option('--monte-carlo', 'the JSON Schema of the document of a Monte Carlo instead')
    .option('--audit', 'the JSON Schema of the document of an audit instead')
    .option('--fuzz', 'the JSON Schema of the document of a fuzz instead')
    .option('--openapi', 'the OpenAPI document of the venue’s interface instead')
    .action(async (flags: SchemaFlags) => {
      const [one, other] = Object.keys(flags) as (keyof SchemaFlags)[];
      if (other !== undefined) {
        command.error(
          `error: options '${optionOf(one ?? '')}' and '${optionOf(other)}' exclude each other`,
        );
      }
      context.stdout.write(await (one === undefined ? formatConfigSchema() : formatOther(one)));
    });
};

async function formatConfigSchema(): Promise<string> {
  return (await import('../../config/index.js')).formatConfigJsonSchema();
}

async function formatOther(flag: keyof SchemaFlags): Promise<string> {
  if (flag === 'openapi') return (await import('../../venue/wire/index.js')).renderOpenApi();
  const { z } = await import('zod');
  const schema = z.toJSONSchema(await DOCUMENTS[flag](), { io: 'input' });
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}

/** The schema of each document. */
const DOCUMENTS: Readonly<Record<Exclude<keyof SchemaFlags, 'openapi'>, () => Promise<ZodType>>> = {
  result: async () => (await import('../../report/index.js')).resultSchema,
  sweep: async () => (await research()).sweepSchema,
  walkForward: async () => (await research()).walkForwardSchema,
  cpcv: async () => (await research()).crossValidationSchema,
  significance: async () => (await research()).significanceSchema,
  monteCarlo: async () => (await research()).monteCarloSchema,
  audit: async () => (await research()).auditSchema,
  fuzz: async () => (await research()).fuzzSchema,
};

const research = () => import('../../research/index.js');

/** The option of a flag: `walkForward` gives `--walk-forward`. */
function optionOf(flag: string): string {
  return `--${flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
