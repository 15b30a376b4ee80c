type Level = 'debug' | 'info' | 'warn' | 'error';
type Write = (fields: object, message: string) => void;

export interface LogLine {
  readonly level: Level;
  readonly fields: object;
  readonly message: string;
}

/** A logger that remembers its lines. */
export function aLog(): Readonly<Record<Level, Write>> & { readonly lines: LogLine[] } {
  const lines: LogLine[] = [];
  const at =
    (level: Level): Write =>
    (fields, message) => {
      lines.push({ level, fields, message });
    };
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
