import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { describeApi } from '../../../gateway/src/openapi/describe-api.ts';
import { routes } from '../../../gateway/src/resources/index.ts';

export const GENERATED = fileURLToPath(new URL('../src/generated/api.ts', import.meta.url));

const HEAD = `/**
 * The types of the REST API, generated from its description: change the gateway's routes, then run \`npm run client\`.
 */
`;

/** The text of the generated file, from the gateway's routes as they are now. */
export async function clientTypes(): Promise<string> {
  const nodes = await openapiTS(JSON.stringify(describeApi(routes), withoutTheRest), { silent: true });
  return `${HEAD}${astToString(nodes.filter(isUsed).flatMap(named)).replaceAll('@description ', '')}`;
}

/** The client handles errors and headers itself, the same way for every operation. */
function withoutTheRest(key: string, value: unknown): unknown {
  if (key === 'headers') return undefined;
  if (key === 'parameters' && Array.isArray(value)) return value.filter((parameter) => !('$ref' in parameter));
  if (isObject(value) && '200' in value) return { 200: value['200'] };
  return value;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const isUsed = (node: ts.Node): boolean => {
  const { name } = node as ts.InterfaceDeclaration;
  return ['paths', 'operations', 'components'].includes(name.text);
};

export const committedTypes = (): string => readFileSync(GENERATED, 'utf8');

/**
 * Editors show `components["schemas"]["Chatbot"]` as a list of its fields; an interface they show by its name. So each
 * schema becomes an exported type, and what refers to it does so by name.
 */
function named(node: ts.Node): ts.Node[] {
  const [renamed] = ts.transform(node, [byName]).transformed;
  const isComponents = ts.isInterfaceDeclaration(renamed!) && renamed.name.text === 'components';
  return isComponents ? (schemasOf(renamed)?.members ?? ts.factory.createNodeArray()).map(exported) : [renamed!];
}

const byName: ts.TransformerFactory<ts.Node> = (context) => {
  const visit = (node: ts.Node): ts.Node => {
    const name = ts.isIndexedAccessTypeNode(node) ? schemaName(node) : undefined;
    return name ? ts.factory.createTypeReferenceNode(name) : ts.visitEachChild(node, visit, context);
  };
  return visit;
};

/** `components["schemas"][name]` */
function schemaName({ objectType, indexType }: ts.IndexedAccessTypeNode): string | undefined {
  const isSchemas = ts.isIndexedAccessTypeNode(objectType) && literal(objectType.indexType) === 'schemas';
  return isSchemas ? literal(indexType) : undefined;
}

const literal = (node: ts.TypeNode): string | undefined =>
  ts.isLiteralTypeNode(node) && ts.isStringLiteral(node.literal) ? node.literal.text : undefined;

function schemasOf({ members }: ts.InterfaceDeclaration): ts.TypeLiteralNode | undefined {
  const schemas = members.find((member) => (member.name as ts.Identifier).text === 'schemas');
  return schemas && ts.isPropertySignature(schemas) && schemas.type && ts.isTypeLiteralNode(schemas.type)
    ? schemas.type
    : undefined;
}

function exported(member: ts.TypeElement): ts.Node {
  const { name, type } = member as ts.PropertySignature & { name: ts.Identifier; type: ts.TypeNode };
  const modifiers = [ts.factory.createModifier(ts.SyntaxKind.ExportKeyword)];
  const declaration = ts.isTypeLiteralNode(type)
    ? ts.factory.createInterfaceDeclaration(modifiers, name.text, undefined, undefined, type.members)
    : ts.factory.createTypeAliasDeclaration(modifiers, name.text, undefined, type);
  return ts.setSyntheticLeadingComments(declaration, ts.getSyntheticLeadingComments(member));
}
