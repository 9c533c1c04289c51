// Names and identities as Crossplane derives them, so that a rendered object has the name a cluster gives it.
import { createHash } from 'node:crypto';
import { stringAt } from '../core/json.ts';
import { groupOf, type KubeObject } from '../core/kube-object.ts';

/** The annotation that says which desired resource an object is. */
export const RESOURCE_NAME_ANNOTATION = 'crossplane.io/composition-resource-name';

/** The label that says which composite resource an object belongs to. */
export const COMPOSITE_LABEL = 'crossplane.io/composite';

/**
 * The uid the official render gives an XR that has none: a version 5 UUID, in the nil namespace,
 * of group, version, kind, namespace and name.
 */
export function renderUid(xr: KubeObject): string {
  const group = groupOf(xr.apiVersion);
  const version = xr.apiVersion.slice(xr.apiVersion.lastIndexOf('/') + 1);
  const name = `${group}/${version}, Kind=${xr.kind}\0${namespaceOf(xr)}\0${nameOf(xr)}`;
  const hash = createHash('sha1').update(Buffer.alloc(16)).update(name).digest().subarray(0, 16);
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x50, 6);
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8);
  return hash.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, '$1-$2-$3-$4-$5');
}

const MAX_GENERATED = 63;

/** The name Crossplane generates for a composed resource: the prefix and 12 hex digits, at most 63 in all. */
export function generatedName(prefix: string, ownerUid: string, resourceName: string): string {
  const suffix = createHash('sha256')
    .update(ownerUid + resourceName)
    .digest('hex')
    .slice(0, 12);
  const start = prefix.endsWith('-') ? prefix : `${prefix}-`;
  const room = MAX_GENERATED - suffix.length;
  return `${start.length <= room ? start : `${start.slice(0, room - 1)}-`}${suffix}`;
}

const LABEL = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`, 'u');
const MAX_SUBDOMAIN = 253;

/** Kinds of the core group whose names are DNS labels, not subdomains. */
const LABEL_NAMES = ['Namespace', 'Service'];
const MAX_LABEL = 63;

/**
 * What is wrong with the name of an object of this kind, or undefined. Names are RFC 1123 subdomains;
 * those of RBAC kinds may hold colons as well, those of Services and Namespaces are single labels.
 */
export function nameFault(apiVersion: string, kind: string, name: string): string | undefined {
  const rbac = groupOf(apiVersion) === 'rbac.authorization.k8s.io';
  const plain = rbac ? name.replaceAll(':', '') : name;
  if (name.length > MAX_SUBDOMAIN)
    return `it has ${name.length} characters, at most ${MAX_SUBDOMAIN} fit`;
  if (SUBDOMAIN.test(plain)) {
    if (apiVersion !== 'v1' || !LABEL_NAMES.includes(kind)) return undefined;
    if (name.includes('.')) return `the name of a ${kind} has no dots`;
    if (name.length <= MAX_LABEL) return undefined;
    return `it has ${name.length} characters, at most ${MAX_LABEL} fit for a ${kind}`;
  }
  return 'a name consists of lower case letters, digits, "-" and ".", and begins and ends with a letter or digit';
}

/** The name of an object, or an empty string. */
export function nameOf(object: KubeObject): string {
  return stringAt(object, 'metadata', 'name') ?? '';
}

/** The namespace of an object, or an empty string. */
export function namespaceOf(object: KubeObject): string {
  return stringAt(object, 'metadata', 'namespace') ?? '';
}

/** `Kind namespace/name`, for messages. */
export function describeObject(object: KubeObject): string {
  const namespace = namespaceOf(object);
  return `${object.kind} ${namespace === '' ? '' : `${namespace}/`}${nameOf(object)}`;
}

/** The composition-resource-name of an object, or undefined. */
export function resourceNameOf(object: KubeObject): string | undefined {
  return stringAt(object, 'metadata', 'annotations', RESOURCE_NAME_ANNOTATION);
}
