import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A source of the product, without tests and what only they use. */
export interface Source {
  /** Relative to the repository. */
  path: string;
  tree: ts.SourceFile;
}

export const SOURCES: readonly Source[] = globSync('{packages,services,clients}/*/src/**/*.{ts,tsx}', { cwd: ROOT })
  .concat(globSync('gateway/src/**/*.ts', { cwd: ROOT }))
  .filter((path) => !/\.(test|fixture)\.tsx?$|\/testing(\/|\.ts$)|node_modules/.test(path))
  .map((path) => {
    const text = readFileSync(`${ROOT}/${path}`, 'utf8');
    return { path, tree: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true) };
  });

/** A regular expression literal and where it is. */
export interface Literal {
  path: string;
  literal: string;
}

function descendants(node: ts.Node): ts.Node[] {
  const found: ts.Node[] = [];
  const stack = [node];
  for (let next = stack.pop(); next; next = stack.pop()) {
    found.push(next);
    ts.forEachChild(next, (child) => void stack.push(child));
  }
  return found;
}

/** Every regular expression literal. */
export const literals = (): Literal[] =>
  SOURCES.flatMap(({ path, tree }) =>
    descendants(tree)
      .filter(ts.isRegularExpressionLiteral)
      .map(({ text }) => ({ path, literal: text })),
  );

/** Where patterns are put together: how many in each file when it is loaded, and how many by its functions. */
export function composed(): { path: string; onLoad: number; inFunctions: number }[] {
  const isComposed = (node: ts.Node): boolean => ts.isNewExpression(node) && node.expression.getText() === 'RegExp';
  const isInFunction = (node: ts.Node): boolean => ts.findAncestor(node, ts.isFunctionLike) !== undefined;
  return SOURCES.flatMap(({ path, tree }) => {
    const sites = descendants(tree).filter(isComposed);
    const inFunctions = sites.filter(isInFunction).length;
    return sites.length > 0 ? [{ path, onLoad: sites.length - inFunctions, inFunctions }] : [];
  });
}

/** An exported function that reads a text, and what it takes. */
export interface TextFunction {
  path: string;
  name: string;
  parameters: { name: string; type: string }[];
}

/** Where texts of others are read. */
const READERS = [
  /^packages\/(language|reading)\/src\//,
  /^packages\/corpus\/src\/(search\/|chunk)/,
  /^packages\/runtime\/src\/(text|email-address|parse-url|log-text)\.ts$/,
  /^services\/[a-z]+\/src\/domain\//,
  /^services\/assistants\/src\/answerer\//,
  /^services\/trainer\/src\/(crawl|sources)\//,
  /^gateway\/src\/(fields|http)\//,
];

/** Every exported function of those whose first parameter is a text or bytes; optional parameters are left out. */
export const textFunctions = (): TextFunction[] =>
  SOURCES.filter(({ path }) => READERS.some((reader) => reader.test(path))).flatMap(({ path, tree }) =>
    tree.statements.filter(isExported).flatMap((statement) =>
      functionsOf(statement).flatMap(([name, { parameters }]) => {
        const required = parameters.filter((each) => !each.questionToken && !each.initializer && !each.dotDotDotToken);
        const named = required.map((each) => ({ name: each.name.getText(), type: each.type?.getText() ?? '' }));
        return named.length > 0 && isText(named[0]!.type) ? [{ path, name, parameters: named }] : [];
      }),
    ),
  );

const isText = (type: string): boolean =>
  /^(string( \| (null|undefined))*|(readonly )?string\[\]|Buffer|Uint8Array)$/.test(type);

const isExported = (statement: ts.Statement): boolean =>
  ts.canHaveModifiers(statement) &&
  (ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false);

function functionsOf(statement: ts.Statement): [string, ts.SignatureDeclaration][] {
  if (ts.isFunctionDeclaration(statement)) return [[statement.name!.text, statement]];
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.flatMap(({ name, initializer }) =>
    initializer && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer))
      ? [[name.getText(), initializer] as [string, ts.SignatureDeclaration]]
      : [],
  );
}
