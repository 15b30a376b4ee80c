import type { Sqlite, SqliteStatement } from './sqlite.js';

type InsertName =
  'event' | 'candle' | 'command' | 'intent' | 'state' | 'checkpoint' | 'stream' | 'epoch';

/** Prepares the statements that add rows. */
export function prepareInserts(db: Sqlite): Readonly<Record<InsertName, SqliteStatement>> {
  return {
    event: db.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)'),
    candle: db.prepare('INSERT INTO candles VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)'),
    command: db.prepare('INSERT INTO commands VALUES (?, ?, ?, ?, ?, ?)'),
    intent: db.prepare('INSERT INTO intents VALUES (?, ?, ?, ?, ?)'),
    state: db.prepare('INSERT INTO states VALUES (?, ?)'),
    checkpoint: db.prepare('INSERT INTO checkpoints VALUES (?, ?, ?)'),
    stream: db.prepare('INSERT INTO streams (instrument, content) VALUES (?, ?)'),
    epoch: db.prepare(
      `INSERT INTO epochs
         (first_event, bot, mode, plugin_hash, parameters_hash, config_hash, terms_hash, engine, seed, constructed, started, source, checkpoint)
       VALUES
         (@firstEvent, @bot, @mode, @plugin, @parameters, @config, @terms, @engine, @seed, @constructed, @started, @source, @checkpoint)`,
    ),
  };
}
