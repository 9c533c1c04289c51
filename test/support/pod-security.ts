// The Pod Security Standard "restricted", as far as a pod of the chart can break it, in words.
// https://kubernetes.io/docs/concepts/security/pod-security-standards/
import type { JsonObject } from '../../src/core/json.ts';
import { isObject, listAt, sameJson, stringAt, valueAt } from '../../src/core/json.ts';
import type { Pod } from './rendered.ts';

const VOLUMES = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
];

/** What "restricted" would complain about, and what we add to it: a read-only root and no API token. */
export function podSecurityProblems({ owner, spec, containers }: Pod): readonly string[] {
  const name = stringAt(owner, 'metadata', 'name') ?? '';
  const volumes = listAt(spec, 'volumes')
    .filter(isObject)
    .flatMap((volume) => Object.keys(volume).filter((key) => key !== 'name'))
    .filter((kind) => !VOLUMES.includes(kind))
    .map((kind) => `${name}: a volume of kind ${kind}`);
  const host = ['hostNetwork', 'hostPID', 'hostIPC']
    .filter((field) => spec[field] === true)
    .map((field) => `${name}: ${field}`);
  const token =
    spec['automountServiceAccountToken'] === false ? [] : [`${name}: an API token is mounted`];
  return [
    ...volumes,
    ...host,
    ...token,
    ...containers.flatMap((container) => containerProblems(name, spec, container)),
  ];
}

function containerProblems(pod: string, spec: JsonObject, container: JsonObject): string[] {
  const at = (field: string) =>
    valueAt(container, 'securityContext', field) ?? valueAt(spec, 'securityContext', field);
  const name = `${pod}/${stringAt(container, 'name') ?? ''}`;
  const fine: { readonly [problem: string]: boolean } = {
    'may run as root': at('runAsNonRoot') === true && at('runAsUser') !== 0,
    'has no seccomp profile': sameJson(at('seccompProfile'), { type: 'RuntimeDefault' }),
    'may escalate': at('allowPrivilegeEscalation') === false,
    'has capabilities': sameJson(at('capabilities'), { drop: ['ALL'] }),
    'has a writable root': at('readOnlyRootFilesystem') === true,
    'is privileged': at('privileged') === undefined,
    'takes a port of the machine': listAt(container, 'ports').every(
      (port) => valueAt(port, 'hostPort') === undefined,
    ),
  };
  return Object.entries(fine)
    .filter(([, ok]) => !ok)
    .map(([problem]) => `${name}: ${problem}`);
}
