import type { Container, PodSpec } from './chart.ts';

const VOLUMES = ['name', 'configMap', 'emptyDir', 'secret', 'projected', 'persistentVolumeClaim', 'downwardAPI', 'csi'];
const HOST = ['hostNetwork', 'hostPID', 'hostIPC', 'hostUsers'];

/** The rules of the Pod Security Standard "restricted" that a pod breaks, in words. */
export function brokenRules(pod: PodSpec): string[] {
  const { runAsNonRoot, runAsUser, seccompProfile } = pod.securityContext ?? {};
  const volumes = (pod.volumes ?? []).flatMap((volume) => Object.keys(volume));
  const rules: Record<string, unknown> = {
    'runs as another than root': runAsNonRoot === true && runAsUser !== 0,
    'has the seccomp profile of the runtime': (seccompProfile as { type?: string })?.type === 'RuntimeDefault',
    'has volumes of its own only': volumes.every((key) => VOLUMES.includes(key)),
    "shares none of the node's namespaces": !HOST.some((key) => key in pod),
  };
  const ofPod = Object.keys(rules).filter((rule) => !rules[rule]);
  return [...ofPod, ...[...pod.containers, ...(pod.initContainers ?? [])].flatMap(brokenByContainer)];
}

function brokenByContainer({ name, ports = [], securityContext = {} }: Container): string[] {
  const { allowPrivilegeEscalation, capabilities, privileged, runAsUser, runAsNonRoot } = securityContext;
  const rules: Record<string, boolean> = {
    'gains no privileges': allowPrivilegeEscalation === false && !privileged,
    'has no capabilities': JSON.stringify(capabilities) === '{"drop":["ALL"]}',
    'does not turn to root': runAsUser !== 0 && runAsNonRoot !== false,
    'takes no port of the node': ports.every((port) => !port.hostPort),
  };
  return Object.keys(rules).flatMap((rule) => (rules[rule] ? [] : [`${name}: ${rule}`]));
}
