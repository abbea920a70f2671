import path from 'node:path';
import { expect, test } from '@jest/globals';
import ts from 'typescript';

const ROOT = path.resolve(import.meta.dirname, '../..');
const MODEL = path.join(ROOT, 'packages/corpus/src/model.ts');
const PROTO = path.join(ROOT, 'proto/gen/parley/knowledge/v1/knowledge_service_pb.ts');

/** The files that handle each type of knowledge. They compile as they are: `npm run typecheck` sees to that. */
const EXHAUSTIVE = [
  'gateway/src/resources/knowledge/json.ts',
  'services/knowledge/src/domain/type.ts',
  'services/knowledge/src/rpc/messages.ts',
  'services/trainer/src/sources/load.ts',
  'services/trainer/src/sources/limits.ts',
];

/** Which of them do not compile when the given files have the given text. */
function broken(changed: Map<string, string>): string[] {
  const configFile = path.join(ROOT, 'tsconfig.json');
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(configFile, ts.sys.readFile).config,
    ts.sys,
    ROOT,
  );
  const host = ts.createCompilerHost(options);
  const { readFile } = host;
  host.readFile = (file) => changed.get(path.resolve(file)) ?? readFile(file);
  const files = EXHAUSTIVE.map((file) => path.join(ROOT, file));
  const program = ts.createProgram(files, options, host);
  const isBroken = (file: string) => program.getSemanticDiagnostics(program.getSourceFile(file)).length > 0;
  return EXHAUSTIVE.filter((_, i) => isBroken(files[i]!));
}

/** A file and its text with a line inserted. */
function withLine(file: string, after: string, line: string): [string, string] {
  const text = ts.sys.readFile(file)!;
  expect(text.split(after)).toHaveLength(2);
  return [file, text.replace(after, `${after}\n${line}`)];
}

test('a new knowledge type does not compile without its loader, its names and its mappings', () => {
  const podcast = new Map([
    withLine(MODEL, 'export interface KnowledgeDetails {', '  podcast: { feed_url: string };'),
    withLine(PROTO, 'export const KnowledgeType = {', '  PODCAST: 5,'),
  ]);
  expect(broken(podcast)).toEqual(EXHAUSTIVE);
});
