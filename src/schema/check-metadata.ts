// The metadata of a resource and the heads of embedded resources, as apimachinery checks them.
import type { FieldPath } from '../core/field-path.ts';
import { isList, isObject, type Json, type JsonObject, listAt, stringAt } from '../core/json.ts';
import { typeName } from './check-type.ts';
import { type Finding, quote, schemaFinding, valueText } from './finding.ts';
import { type Schema, schemaOfKey, schemaOfValues } from './open-api-schema.ts';
import { remember } from './remember.ts';
import { unknownField } from './unknown-fields.ts';

const FIELD_TYPES: { readonly [field: string]: string } = {
  name: 'string',
  generateName: 'string',
  namespace: 'string',
  selfLink: 'string',
  uid: 'string',
  resourceVersion: 'string',
  creationTimestamp: 'string',
  deletionTimestamp: 'string',
  generation: 'integer',
  deletionGracePeriodSeconds: 'integer',
  labels: 'map',
  annotations: 'map',
  finalizers: 'array',
  ownerReferences: 'array',
  managedFields: 'array',
};

const OWNER_FIELDS = ['apiVersion', 'kind', 'name', 'uid', 'controller', 'blockOwnerDeletion'];

/** Fields of metadata nobody knows and values of a type metadata does not take. */
export function decodeMetadata(metadata: Json | undefined, path: FieldPath): readonly Finding[] {
  if (metadata === undefined || metadata === null) return [];
  if (!isObject(metadata)) return [wrongType(path, 'object', metadata)];
  return Object.entries(metadata).flatMap(([key, value]) => {
    const wanted = Object.hasOwn(FIELD_TYPES, key) ? FIELD_TYPES[key] : undefined;
    if (wanted === undefined) return [unknownField([...path, key])];
    if (value === null) return [];
    return decodeField(value, wanted, [...path, key]);
  });
}

function decodeField(value: Json, wanted: string, path: FieldPath): readonly Finding[] {
  if (wanted === 'map') {
    if (!isObject(value)) return [wrongType(path, 'object', value)];
    return Object.entries(value)
      .filter(([, one]) => typeof one !== 'string' && one !== null)
      .map(([key, one]) => wrongType([...path, key], 'string', one));
  }
  if (typeName(value) !== wanted) return [wrongType(path, wanted, value)];
  if (!isList(value) || path.at(-1) !== 'ownerReferences') return [];
  return value.flatMap((owner, index) =>
    isObject(owner)
      ? Object.keys(owner)
          .filter((key) => !OWNER_FIELDS.includes(key))
          .map((key) => unknownField([...path, index, key]))
      : [wrongType([...path, index], 'object', owner)],
  );
}

function wrongType(path: FieldPath, wanted: string, value: Json): Finding {
  const found = quote(typeName(value));
  return schemaFinding(
    path,
    'FieldValueTypeInvalid',
    `Invalid value: ${found}: must be of type ${wanted}: ${found}`,
  );
}

const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/u;
const SUBDOMAIN_RULE =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/u;
const LABEL_RULE =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const QUALIFIED = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/u;
const QUALIFIED_RULE =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const KEY_RULE = `a valid label key ${QUALIFIED_RULE} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`;
const VALUE_RULE =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

/** What the API server has against the metadata of a resource: its names, labels and annotations. */
export function checkMetadata(object: JsonObject): readonly Finding[] {
  const metadata = isObject(object['metadata']) ? object['metadata'] : {};
  return [
    ...checkName(metadata),
    ...checkNamespace(metadata),
    ...checkTexts(metadata, ['metadata']),
  ];
}

/** Labels, annotations, finalizers and owners, of a resource or of one inside another. */
function checkTexts(metadata: JsonObject, path: FieldPath): readonly Finding[] {
  const annotations = metadata['annotations'];
  const lower = isObject(annotations)
    ? Object.keys(annotations).map((key) => lowerPrefix(key))
    : [];
  return [
    ...checkLabels(metadata['labels'], [...path, 'labels']),
    ...checkKeys(lower, [...path, 'annotations']),
    ...checkKeys(listAt(metadata, 'finalizers').map(String), [...path, 'finalizers']),
    ...listAt(metadata, 'ownerReferences').flatMap((owner) =>
      ['kind', 'name', 'uid']
        .filter((key) => stringAt(owner, key) === undefined)
        .map((key) => invalid([...path, 'ownerReferences', key], '', 'must not be empty')),
    ),
  ];
}

/** Of an annotation the prefix may be in upper case. */
function lowerPrefix(key: string): string {
  const slash = key.indexOf('/');
  return slash < 0 ? key : `${key.slice(0, slash).toLowerCase()}${key.slice(slash)}`;
}

function checkName(metadata: JsonObject): readonly Finding[] {
  const name = stringAt(metadata, 'name');
  const generateName = stringAt(metadata, 'generateName');
  if (name === undefined && generateName === undefined) {
    return [
      schemaFinding(
        ['metadata', 'name'],
        'FieldValueRequired',
        'Required value: name or generateName is required',
      ),
    ];
  }
  return [
    ...subdomain(name, ['metadata', 'name']),
    ...subdomain(generateName?.replace(/-$/u, 'a'), ['metadata', 'generateName'], generateName),
  ];
}

function subdomain(
  text: string | undefined,
  path: FieldPath,
  shown: string | undefined = text,
): readonly Finding[] {
  if (text === undefined || shown === undefined) return [];
  return [
    ...(text.length > 253 ? [invalid(path, shown, 'must be no more than 253 characters')] : []),
    ...(SUBDOMAIN.test(text) ? [] : [invalid(path, shown, SUBDOMAIN_RULE)]),
  ];
}

function checkNamespace(metadata: JsonObject): readonly Finding[] {
  const namespace = stringAt(metadata, 'namespace');
  if (namespace === undefined || (namespace.length <= 63 && LABEL.test(namespace))) return [];
  const rule = namespace.length > 63 ? 'must be no more than 63 bytes' : LABEL_RULE;
  return [invalid(['metadata', 'namespace'], namespace, rule)];
}

function checkLabels(labels: Json | undefined, path: FieldPath): readonly Finding[] {
  if (!isObject(labels)) return [];
  const values = Object.entries(labels).flatMap(([key, value]) => {
    if (typeof value !== 'string' || value === '') return [];
    const at = [...path, key];
    return [
      ...(value.length > 63 ? [invalid(path, value, 'must be no more than 63 bytes')] : []),
      ...(QUALIFIED.test(value) ? [] : [invalid(at.slice(0, -1), value, VALUE_RULE)]),
    ];
  });
  return [...checkKeys(Object.keys(labels), path), ...values];
}

/** Qualified names: an optional DNS prefix, a slash, a name of at most 63 characters. */
function checkKeys(keys: readonly string[], path: FieldPath): readonly Finding[] {
  return keys.flatMap((key) => {
    const [first = '', second, more] = key.split('/');
    if (more !== undefined) return [invalid(path, key, KEY_RULE)];
    const [prefix, name] = second === undefined ? [undefined, first] : [first, second];
    if (prefix === '') return [invalid(path, key, 'prefix part must be non-empty')];
    if (prefix !== undefined && !SUBDOMAIN.test(prefix)) {
      return [invalid(path, key, `prefix part ${SUBDOMAIN_RULE}`)];
    }
    if (name.length > 63) return [invalid(path, key, 'name part must be no more than 63 bytes')];
    return QUALIFIED.test(name) ? [] : [invalid(path, key, `name part ${QUALIFIED_RULE}`)];
  });
}

function invalid(path: FieldPath, value: Json, rule: string): Finding {
  return schemaFinding(path, 'FieldValueInvalid', `Invalid value: ${valueText(value)}: ${rule}`);
}

/** True for a schema with an embedded resource anywhere. */
const hasEmbedded: (schema: Schema) => boolean = remember((schema) => {
  const parts = [...Object.values(schema.properties ?? {}), schema.items, schemaOfValues(schema)];
  return (
    schema['x-kubernetes-embedded-resource'] === true ||
    parts.some((part) => part !== undefined && hasEmbedded(part))
  );
});

/** What embedded resources lack: apiVersion, kind, a name that can be part of a URL. */
export function checkEmbedded(
  value: Json,
  schema: Schema,
  path: FieldPath = [],
): readonly Finding[] {
  if (!hasEmbedded(schema)) return [];
  if (isList(value)) {
    const { items } = schema;
    if (items === undefined) return [];
    return value.flatMap((item, index) => checkEmbedded(item, items, [...path, index]));
  }
  if (!isObject(value)) return [];
  const isResource = path.length > 0 && schema['x-kubernetes-embedded-resource'] === true;
  return [
    ...(isResource ? checkHead(value, path) : []),
    ...Object.entries(value).flatMap(([key, child]) => {
      const childSchema = schemaOfKey(schema, key);
      return childSchema === undefined ? [] : checkEmbedded(child, childSchema, [...path, key]);
    }),
  ];
}

function checkHead(value: JsonObject, path: FieldPath): readonly Finding[] {
  const apiVersion = stringAt(value, 'apiVersion');
  const kind = stringAt(value, 'kind');
  const metadata = isObject(value['metadata']) ? value['metadata'] : {};
  const fault = segmentFault(stringAt(metadata, 'name') ?? '');
  return [
    ...['apiVersion', 'kind']
      .filter((key) => stringAt(value, key) === undefined)
      .map((key) => schemaFinding([...path, key], 'FieldValueRequired', 'Required value')),
    ...(apiVersion === undefined || apiVersion.split('/').length <= 2
      ? []
      : [
          invalid(
            [...path, 'apiVersion'],
            apiVersion,
            `unexpected GroupVersion string: ${apiVersion}`,
          ),
        ]),
    ...(kind === undefined || KIND.test(kind) ? [] : [invalid([...path, 'kind'], kind, KIND_RULE)]),
    ...decodeMetadata(value['metadata'], [...path, 'metadata']),
    ...(fault === undefined
      ? []
      : [invalid([...path, 'metadata', 'name'], stringAt(metadata, 'name') ?? '', fault)]),
    ...checkTexts(metadata, [...path, 'metadata']),
  ];
}

const KIND = /^[a-zA-Z]([-a-zA-Z0-9]*[a-zA-Z0-9])?$/u;
const KIND_RULE =
  "may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

/** Why a name cannot be part of a URL. */
function segmentFault(name: string): string | undefined {
  if (name === '.' || name === '..') return `may not be '${name}'`;
  if (name.includes('/')) return "may not contain '/'";
  return name.includes('%') ? "may not contain '%'" : undefined;
}
