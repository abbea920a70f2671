import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';

export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string>; annotations?: Record<string, string> };
  spec?: Spec;
  data?: Record<string, string>;
}

interface Spec {
  replicas?: number;
  template?: { metadata: KubernetesObject['metadata']; spec: PodSpec };
  selector?: Record<string, unknown>;
  ports?: { port: number; targetPort: string | number }[];
}

export interface PodSpec {
  containers: Container[];
  initContainers?: Container[];
  volumes?: ({ name: string } & Record<string, unknown>)[];
  securityContext?: Record<string, unknown>;
  automountServiceAccountToken?: boolean;
  serviceAccountName?: string;
  terminationGracePeriodSeconds?: number;
}

export interface Container {
  name: string;
  image: string;
  command?: string[];
  env?: Variable[];
  ports?: { name: string; containerPort: number; hostPort?: number }[];
  securityContext?: Record<string, unknown>;
  resources?: { requests?: Record<string, string>; limits?: Record<string, string> };
  startupProbe?: Probe;
  readinessProbe?: Probe;
  livenessProbe?: Probe;
  volumeMounts?: { name: string; mountPath: string; readOnly?: boolean }[];
  lifecycle?: { preStop?: { sleep?: { seconds: number } } };
}

export interface Variable {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef?: { name: string; key: string; optional?: boolean } };
}

export interface Probe {
  grpc?: { port: number; service?: string };
  httpGet?: { path: string; port: number; scheme?: string };
  tcpSocket?: { port: number };
  periodSeconds?: number;
  failureThreshold?: number;
}

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
export const CHART: string = pathOf('../../helm');
const FETCH_WITHIN_MS = 400_000;
const HELM_WITHIN_MS = 30_000;

/** Paths of the tools that tools.mjs finds or fetches. */
const { stdout } = await promisify(execFile)(process.execPath, [pathOf('tools.mjs')], { timeout: FETCH_WITHIN_MS });
export const tools = JSON.parse(stdout) as { helm: string; schemas: string };

/** Value files with examples of installations. */
export const examples: string[] = await readdir(`${CHART}/ci`);

export const exampleFile = (name: string): string[] => ['--values', `${CHART}/ci/${name}`];

/** Runs `helm COMMAND` on a chart, ours by default; rejects with Helm's error. */
export async function helm(command: string[], options: string[] = [], chart = CHART): Promise<string> {
  const run = promisify(execFile)(tools.helm, [...command, chart, ...options], { timeout: HELM_WITHIN_MS });
  return (
    await run.catch((error) => {
      throw new Error(error.stderr || error.message);
    })
  ).stdout;
}

/** All objects that an installation creates, including hooks. */
export async function render(options: string[] = [], release = 'parley', chart = CHART): Promise<KubernetesObject[]> {
  const text = await helm(['template', release], ['--kube-version', '1.35.0', ...options], chart);
  return parseAllDocuments(text).map((document) => {
    // For example a duplicate key: Helm takes the last, Kubernetes refuses it.
    for (const error of document.errors) throw error;
    return document.toJS();
  });
}

/** Values of any kind, as options. */
export const values = (given: Record<string, unknown>): string[] =>
  Object.entries(given).flatMap(([path, value]) => ['--set-json', `${path}=${JSON.stringify(value)}`]);

/** The object of that kind and name; throws if there is none. */
export function objectOf(objects: KubernetesObject[], kind: string, name: string): KubernetesObject {
  const found = objects.find((object) => object.kind === kind && object.metadata.name === name);
  if (!found) throw new Error(`There is no ${kind} ${name}.`);
  return found;
}

/** The variables of an object's first container; undefined for values from elsewhere. */
export function plainVariablesOf({ spec }: KubernetesObject): Record<string, string | undefined> {
  const { env = [] } = spec!.template!.spec.containers[0]!;
  return Object.fromEntries(env.map(({ name, value }) => [name, value]));
}

/** The pods of the objects, with the name and kind of each object. */
export function podsOf(objects: KubernetesObject[]): { name: string; kind: string; pod: PodSpec }[] {
  return objects.flatMap(({ kind, metadata: { name }, spec }) => {
    if (kind === 'Pod') return [{ name, kind, pod: spec as unknown as PodSpec }];
    return spec?.template ? [{ name, kind, pod: spec.template.spec }] : [];
  });
}

/** The value of a key of a Secret among the objects. */
export function secretOf(objects: KubernetesObject[], name: string, key: string): string | undefined {
  const secret = objects.find((object) => object.kind === 'Secret' && object.metadata.name === name);
  const encoded = secret?.data?.[key];
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString();
}
