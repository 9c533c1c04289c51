// The environment of a container as a kubelet makes it: envFrom, then env, then $(NAME).
import { isObject, type JsonObject, listAt, stringAt, valueAt } from '../../src/core/json.ts';
import type { KubeObject } from '../../src/core/kube-object.ts';

export interface PodFacts {
  readonly name: string;
  readonly namespace: string;
  readonly ip: string;
  /** The Secrets and ConfigMaps of the namespace. */
  readonly objects: readonly KubeObject[];
}

/** Every variable of the container. Throws for a reference that leads nowhere, as the kubelet refuses to start. */
export function containerEnvironment(
  container: JsonObject,
  pod: PodFacts,
): Readonly<Record<string, string>> {
  const environment: Record<string, string> = {};
  for (const source of listAt(container, 'envFrom')) {
    const kind = valueAt(source, 'secretRef') === undefined ? 'configMapRef' : 'secretRef';
    Object.assign(environment, dataOf(pod, kind, stringAt(source, kind, 'name') ?? ''));
  }
  for (const entry of listAt(container, 'env')) {
    const name = stringAt(entry, 'name') ?? '';
    const from = valueAt(entry, 'valueFrom');
    environment[name] = isObject(from)
      ? referenced(from, pod)
      : expand(String(valueAt(entry, 'value') ?? ''), environment);
  }
  return environment;
}

/** `$(NAME)` becomes the value of a variable that is defined already; `$$` is one dollar. */
export function expand(text: string, environment: Readonly<Record<string, string>>): string {
  return text.replace(/\$\$|\$\(([A-Za-z_][\w.-]*)\)/gu, (whole, name?: string) =>
    name === undefined ? '$' : (environment[name] ?? whole),
  );
}

function referenced(from: JsonObject, pod: PodFacts): string {
  const field = stringAt(from, 'fieldRef', 'fieldPath');
  if (field !== undefined) return fieldOf(pod, field);
  const kind = valueAt(from, 'secretKeyRef') === undefined ? 'configMapKeyRef' : 'secretKeyRef';
  const key = stringAt(from, kind, 'key') ?? '';
  const value = dataOf(pod, kind, stringAt(from, kind, 'name') ?? '')[key];
  if (value === undefined) throw new Error(`no key ${key} for ${JSON.stringify(from)}`);
  return value;
}

function fieldOf(pod: PodFacts, path: string): string {
  const fields: Readonly<Record<string, string>> = {
    'metadata.name': pod.name,
    'metadata.namespace': pod.namespace,
    'metadata.uid': `uid-of-${pod.name}`,
    'status.podIP': pod.ip,
  };
  const value = fields[path];
  if (value === undefined) throw new Error(`no field ${path}`);
  return value;
}

/** The decoded data of a Secret or ConfigMap. */
export function dataOf(pod: PodFacts, reference: string, name: string): Record<string, string> {
  const kind = reference.startsWith('secret') ? 'Secret' : 'ConfigMap';
  const found = pod.objects.find(
    (object) => object.kind === kind && stringAt(object, 'metadata', 'name') === name,
  );
  if (found === undefined) throw new Error(`no ${kind} ${name}`);
  const decode = (text: string) =>
    kind === 'Secret' ? Buffer.from(text, 'base64').toString('utf8') : text;
  const entries = Object.entries((valueAt(found, 'data') ?? {}) as Record<string, string>);
  return {
    ...Object.fromEntries(entries.map(([key, text]) => [key, decode(text)])),
    ...((valueAt(found, 'stringData') ?? {}) as Record<string, string>),
  };
}
