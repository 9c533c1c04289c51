// The status of the XR: exactly what is returned here is what it has, a field that is left out goes.
import { type Json, type JsonObject, numberAt, objectAt, stringAt } from '../core/json.ts';
import type { Outlook } from './conditions.ts';
import { bucketIdOf } from './desired.ts';
import { KEYS } from './keys.ts';
import { roleArnOf } from './readiness.ts';
import { bucketNameOf } from './storage.ts';

/** The status fields. What was last known of the fleet stays until something newer is known. */
export function statusOf(outlook: Outlook, before: JsonObject): JsonObject {
  const { plan, resources } = outlook;
  const ready = (key: string) => resources[key]?.ready ?? false;
  const needed = [
    ...(resources[KEYS.namespace] === undefined ? [] : [KEYS.namespace, KEYS.namespaceUsage]),
    KEYS.release,
    ...(plan.storage.kind === 'aws' ? [KEYS.bucket] : []),
    ...(plan.identity.kind === 'pod-identity' ? [KEYS.podIdentity] : []),
  ];
  return without({
    ready: needed.every(ready),
    release: release(outlook, ready(KEYS.release)),
    service: service(outlook),
    bucket: bucket(outlook, ready(KEYS.bucket)),
    podIdentity: podIdentity(outlook, ready(KEYS.podIdentity)),
    fleet: fleet(outlook, objectAt(before, 'fleet')),
  });
}

type Part = { readonly [field: string]: Json | undefined } | undefined;

function release({ plan, observed }: Outlook, ready: boolean): Part {
  const object = observed[KEYS.release];
  return {
    name: plan.releaseName,
    namespace: plan.namespace,
    version: stringAt(object, 'status', 'atProvider', 'version'),
    revision: numberAt(object, 'status', 'atProvider', 'revision'),
    state: stringAt(object, 'status', 'atProvider', 'state'),
    ready,
  };
}

function service({ plan }: Outlook): Part {
  const { service: name, port } = plan.names;
  const { namespace } = plan;
  return { name, namespace, port, url: `http://${name}.${namespace}.svc:${port}` };
}

function bucket({ plan, observed }: Outlook, ready: boolean): Part {
  const name = bucketNameOf(plan.storage);
  if (plan.storage.kind !== 'aws') return name === undefined ? undefined : { name };
  return { name, id: bucketIdOf(observed[KEYS.bucket]), ready };
}

function podIdentity({ plan, observed }: Outlook, ready: boolean): Part {
  if (plan.identity.kind !== 'pod-identity') return undefined;
  const object = observed[KEYS.podIdentity];
  return {
    roleArn: roleArnOf(object),
    associationId: stringAt(object, 'status', 'podIdentity', 'association', 'id'),
    ready,
  };
}

function fleet({ plan }: Outlook, before: JsonObject): Part {
  const { fleet: answer, expectation } = plan;
  const readyNodes = answer.current ? answer.readyReplicas : numberAt(before, 'readyNodes');
  const version = answer.current ? answer.version : stringAt(before, 'version');
  return { nodes: expectation.replicas, readyNodes, version };
}

function without(parts: { readonly [field: string]: Json | Part }): JsonObject {
  return Object.fromEntries(
    Object.entries(parts)
      .filter(([, part]) => part !== undefined)
      .map(([name, part]) => [
        name,
        typeof part === 'object' && part !== null && !Array.isArray(part)
          ? Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined))
          : part,
      ]),
  ) as JsonObject;
}
