import { loadSqlite } from '../../src/journal/sqlite.js';

/** Runs once, before all tests. If npm cannot install an optional package it says nothing, and then each test of a journal would fail by itself. */
export async function setup(): Promise<void> {
  await loadSqlite();
}
