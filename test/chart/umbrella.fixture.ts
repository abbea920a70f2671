import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The Secret that the parent chart creates for its subchart. */
const SECRET = `
apiVersion: v1
kind: Secret
metadata: {name: model}
data: {api-key: c2VjcmV0}
`;

/** Writes a chart with a Secret and with `chart` as a dependency, once per alias or once without one. Returns its path. */
export async function writeUmbrella(folder: string, chart: string, aliases: string[] = []): Promise<string> {
  const dependency = { name: 'parley', version: '0.x.x', repository: 'file://../parley', tags: ['ai'] };
  const dependencies = aliases.map((alias) => ({ ...dependency, alias, condition: `${alias}.enabled` }));
  const manifest = {
    apiVersion: 'v2',
    name: 'acme',
    version: '1.0.0',
    dependencies: aliases.length > 0 ? dependencies : [{ ...dependency, condition: 'parley.enabled' }],
  };
  await mkdir(join(folder, 'templates'), { recursive: true });
  await cp(chart, join(folder, 'charts', 'parley'), { recursive: true });
  await writeFile(join(folder, 'Chart.yaml'), JSON.stringify(manifest));
  await writeFile(join(folder, 'templates', 'model.yaml'), SECRET);
  return folder;
}
