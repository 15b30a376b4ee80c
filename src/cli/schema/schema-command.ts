import type { CliContext, RegisterCommand } from '../cli-context.js';

interface SchemaFlags {
  readonly result?: true;
  readonly sweep?: true;
  readonly walkForward?: true;
  readonly monteCarlo?: true;
  readonly audit?: true;
  readonly fuzz?: true;
  readonly openapi?: true;
}

/** Adds `schema`: what editors and programs need to know about files and interfaces. */
export const registerSchema: RegisterCommand = (program, context) => {
  const command = program
    .command('schema')
    .summary('print the JSON Schema of the config')
    .description('Prints the JSON Schema of the YAML file of a bot, for editors.')
    .option('--result', 'the JSON Schema of a result file instead')
    .option('--sweep', 'the JSON Schema of the document of a sweep instead')
    .option('--walk-forward', 'the JSON Schema of the document of a walk-forward instead')
    .option('--monte-carlo', 'the JSON Schema of the document of a Monte Carlo instead')
    .option('--audit', 'the JSON Schema of the document of an audit instead')
    .option('--fuzz', 'the JSON Schema of the document of a fuzz instead')
    .option('--openapi', 'the OpenAPI document of the venue’s interface instead')
    .action(async (flags: SchemaFlags) => {
      const [one, other] = Object.keys(flags);
      if (other !== undefined) {
        command.error(
          `error: options '${optionOf(one ?? '')}' and '${optionOf(other)}' exclude each other`,
        );
      }
      await printSchema(flags, context);
    });
};

async function printSchema(
  { result, sweep, walkForward, monteCarlo, audit, fuzz, openapi }: SchemaFlags,
  { stdout }: CliContext,
): Promise<void> {
  if (result === true) {
    const { resultJsonSchema } = await import('../../report/index.js');
    stdout.write(`${JSON.stringify(resultJsonSchema(), undefined, 2)}\n`);
  } else if (sweep === true) {
    const { sweepJsonSchema } = await import('../../research/index.js');
    stdout.write(`${JSON.stringify(sweepJsonSchema(), undefined, 2)}\n`);
  } else if (walkForward === true) {
    const { walkForwardJsonSchema } = await import('../../research/index.js');
    stdout.write(`${JSON.stringify(walkForwardJsonSchema(), undefined, 2)}\n`);
  } else if (monteCarlo === true) {
    const { monteCarloJsonSchema } = await import('../../research/index.js');
    stdout.write(`${JSON.stringify(monteCarloJsonSchema(), undefined, 2)}\n`);
  } else if (audit === true) {
    const { auditJsonSchema } = await import('../../research/index.js');
    stdout.write(`${JSON.stringify(auditJsonSchema(), undefined, 2)}\n`);
  } else if (fuzz === true) {
    const { fuzzJsonSchema } = await import('../../research/index.js');
    stdout.write(`${JSON.stringify(fuzzJsonSchema(), undefined, 2)}\n`);
  } else if (openapi === true) {
    const { renderOpenApi } = await import('../../venue/wire/index.js');
    stdout.write(renderOpenApi());
  } else {
    const { formatConfigJsonSchema } = await import('../../config/index.js');
    stdout.write(formatConfigJsonSchema());
  }
}

/** The option of a flag, `walkForward` being that of `--walk-forward`. */
function optionOf(flag: string): string {
  return `--${flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
