import type { Db } from 'mongodb';
import { type MongoConfig, mongoClient } from './connect.ts';

/** A program with which an operator looks into the database of a running system. */
export interface MongoProgram {
  /** The arguments after the program's name: none. */
  args: string[];
  /** The command line that starts it, for the usage text. */
  command: string;
  /** The database of a service of the running system; undefined if there is none. */
  find(service: string): Promise<MongoConfig | undefined>;
  /** The message if the database does not answer. */
  unavailable: string;
}

const ANSWER_MS = 10_000;

/** Reads rows of cells from the database of a service. */
export interface Reading {
  service: string;
  read(db: Db): Promise<string[][]>;
}

/** Prints what the readings find, one after the other, in columns under the headings. Resolves to the program's exit code. */
export async function runMongoProgram(
  { args, command, find, unavailable }: MongoProgram,
  headings: string[],
  readings: readonly Reading[],
): Promise<number> {
  if (args.length > 0) return fail(`Usage: ${command}`, 2);
  const rows = [headings];
  for (const { service, read } of readings) {
    const config = await find(service);
    if (!config) return fail(unavailable, 1);
    const client = mongoClient(config, { serverSelectionTimeoutMS: ANSWER_MS, socketTimeoutMS: ANSWER_MS });
    try {
      rows.push(...(await read(client.db(config.database))));
    } catch {
      return fail(unavailable, 1);
    } finally {
      await client.close();
    }
  }
  process.stdout.write(inColumns(rows));
  return 0;
}

function inColumns(rows: string[][]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const line = (row: string[]) => row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ');
  return rows.map((row) => `${line(row).trimEnd()}\n`).join('');
}

function fail(sentence: string, code: number): number {
  process.stderr.write(`${sentence}\n`);
  return code;
}
