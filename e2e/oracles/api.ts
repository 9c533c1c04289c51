// `make oracle-api`: the API server's dry-run beside our schema rules, on hundreds of XRs.
import {
  isObject,
  type Json,
  type JsonObject,
  listAt,
  objectAt,
  stringAt,
} from '../../src/core/json.ts';
import type { KubeObject } from '../../src/core/kube-object.ts';
import { loadManifests } from '../../src/manifests/load.ts';
import { compositeCrd } from '../../src/schema/composite-schema.ts';
import { type Finding, firstAnswer } from '../../src/schema/finding.ts';
import { type KindCatalog, kindCatalog } from '../../src/schema/kind-catalog.ts';
import { type ResourceSchema, resourceSchema } from '../../src/schema/resource-schema.ts';
import { ApiError, type Cluster, referenceOf } from '../control-plane/cluster.ts';
import { startApi } from '../control-plane/control-plane.ts';
import { projectFile } from '../control-plane/folders.ts';
import { clearAbandoned, openWorkplace } from '../control-plane/workplace.ts';
import { celDifferences, PROBES } from './cel.ts';
import { type Difference, differencesOf, report } from './differences.ts';
import { EXPLAINED } from './explained.ts';
import { chartCases, isCustom, objectCases } from './object-cases.ts';
import { brokenCases, composedCases, type XrCase } from './xr-cases.ts';

const SEED = 20_261_130;
const NAMESPACE = 'oracle';
const STRICT = { dryRun: 'All', fieldValidation: 'Strict' };

/** Runs the oracle. Gives the exit code. */
export async function runApiOracle(say: (line: string) => void): Promise<number> {
  await clearAbandoned();
  const workplace = openWorkplace();
  const api = await startApi(workplace, say);
  try {
    const { cluster } = api.kubernetes;
    const definition = definitionOf();
    const ours = resourceSchema(definition, 'v1alpha1');
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } };
    await cluster.apply(namespace);
    const broken = brokenCases(300, SEED).map((one) => withValidPrevious(ours, one));
    const cases = [...exampleCases(), ...composedCases(300, SEED), ...broken];
    const found: Difference[] = [...(await crdDifferences(cluster, definition))];
    for (const one of cases) found.push(...(await compare(cluster, ours, one)));
    const objects = [...objectCases(NAMESPACE), ...chartCases(NAMESPACE)];
    const kinds = kindCatalog(projectFile('schemas', 'kinds'));
    for (const one of objects) found.push(...(await compareObject(cluster, kinds, ours, one)));
    found.push(...(await celDifferences(cluster)));
    const left = report('api', found, EXPLAINED, say);
    const blind = await missesAChange(cluster, ours, cases);
    if (blind) say('the oracle does not see a changed field of ours: it compares nothing');
    say(
      `${cases.length} XRs, ${objects.length} other objects and ${PROBES.length} expressions compared with the API server, ${left} differences`,
    );
    return left === 0 && !blind ? 0 : 1;
  } finally {
    await api.stop();
    workplace.remove();
  }
}

function definitionOf(): KubeObject {
  const [found] = loadManifests([projectFile('apis', 'celldstacks', 'definition.yaml')]);
  if (found === undefined) throw new Error('there is no XRD');
  return found.object;
}

function exampleCases(): readonly XrCase[] {
  return loadManifests([projectFile('examples', 'celldstacks')])
    .filter(({ object }) => object.kind === 'CelldStack')
    .map(({ object, file }) => ({
      name: file.slice(file.lastIndexOf('/') + 1),
      why: 'an example',
      xr: { ...object, metadata: { ...object.metadata, namespace: NAMESPACE } },
    }));
}

/** What does not exist cannot be updated: where the XR before was refused too, this one is created. */
function withValidPrevious(ours: ResourceSchema, { previous, ...one }: XrCase): XrCase {
  const isValid = previous !== undefined && ours.check(previous).length === 0;
  return isValid ? { ...one, previous } : one;
}

/** The CRD that core has made of the XRD, and the one we say it makes. */
async function crdDifferences(
  cluster: Cluster,
  definition: KubeObject,
): Promise<readonly Difference[]> {
  const name = stringAt(definition, 'metadata', 'name') ?? '';
  const real = await cluster.get({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    name,
  });
  // The API server fills in the rest of a CRD's spec.
  const versions = (crd: JsonObject) => listAt(crd, 'spec', 'versions');
  return differencesOf('the CRD', versions(real), versions(compositeCrd(definition)), 'versions');
}

/** An object of any kind that we know the schema of. */
async function compareObject(
  cluster: Cluster,
  kinds: KindCatalog,
  stack: ResourceSchema,
  one: XrCase,
): Promise<readonly Difference[]> {
  const [apiVersion, kind] = [stringAt(one.xr, 'apiVersion'), stringAt(one.xr, 'kind')];
  const schema = kind === stack.kind ? stack : kinds(apiVersion ?? '', kind ?? '');
  if (schema === undefined) return [];
  const found = await compare(cluster, schema, one);
  // What the API server fills into Kubernetes' own kinds is not in their schemas.
  return isCustom(one.xr) ? found : found.filter(({ path }) => path.startsWith('refused'));
}

interface Verdict {
  readonly refused: readonly Json[];
  readonly stored?: Json;
}

async function compare(
  cluster: Cluster,
  ours: ResourceSchema,
  one: XrCase,
): Promise<readonly Difference[]> {
  const theirs = await serverVerdict(cluster, one);
  const name = `${one.name} (${one.why})`;
  return differencesOf(name, { ...theirs } as Json, { ...ourVerdict(ours, one) } as Json);
}

async function serverVerdict(cluster: Cluster, { xr, previous }: XrCase): Promise<Verdict> {
  try {
    if (previous === undefined) return accepted(await cluster.create(xr, STRICT));
    return await updateVerdict(cluster, xr, previous);
  } catch (error) {
    if (error instanceof ApiError && error.code < 500) return { refused: causesOf(error.status) };
    throw error;
  }
}

/** An update needs something to update: the previous XR, paused so that core leaves it alone. */
async function updateVerdict(
  cluster: Cluster,
  xr: JsonObject,
  previous: JsonObject,
): Promise<Verdict> {
  const annotations = { 'crossplane.io/paused': 'true' };
  const paused = { ...previous, metadata: { ...objectAt(previous, 'metadata'), annotations } };
  await cluster.create(paused);
  const at = referenceOf(previous);
  try {
    return await retryConflicts(async () => {
      const resourceVersion = stringAt(await cluster.get(at), 'metadata', 'resourceVersion') ?? '';
      const metadata = { ...objectAt(xr, 'metadata'), annotations, resourceVersion };
      return accepted(await cluster.replace({ ...xr, metadata }, STRICT));
    });
  } finally {
    await cluster.remove(at);
  }
}

/** Core notes on the new XR that it is paused; until it has, an update may come too early. */
async function retryConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 0; tries < 20; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 409)) throw error;
    }
  }
  throw new Error('an XR that was made a moment ago changes all the time');
}

function accepted(stored: JsonObject): Verdict {
  return { refused: [], stored: objectAt(stored, 'spec') };
}

/** The causes of a refusal; an unknown field is refused in the message alone. */
function causesOf(status: JsonObject): readonly Json[] {
  const causes = listAt(status, 'details', 'causes').filter(isObject);
  const message = stringAt(status, 'message') ?? '';
  const unknown = [...message.matchAll(/unknown field "([^"]+)"/gu)].map(([, field]) => ({
    field: field ?? '',
    reason: 'unknown',
    message: '',
  }));
  if (unknown.length > 0) return sorted(unknown);
  if (causes.length === 0) return [message];
  return sorted(
    causes.map((one) => ({
      field: one['field'] ?? '',
      reason: one['reason'] ?? '',
      message: one['message'] ?? '',
    })),
  );
}

function ourVerdict(ours: ResourceSchema, { xr, previous }: XrCase): Verdict {
  const findings = firstAnswer(ours.check(xr, previous));
  if (findings.length > 0) return { refused: sorted(findings.map(asCause)) };
  return { refused: [], stored: objectAt(ours.applyDefaults(xr), 'spec') };
}

function asCause({ type, field, reason, message }: Finding): JsonObject {
  return type === 'unknownField'
    ? { field, reason: 'unknown', message: '' }
    : { field, reason, message };
}

function sorted(causes: readonly JsonObject[]): readonly JsonObject[] {
  return [...causes].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

/** True when a field of ours that is changed by hand goes unnoticed. */
async function missesAChange(
  cluster: Cluster,
  ours: ResourceSchema,
  cases: readonly XrCase[],
): Promise<boolean> {
  const tampered: ResourceSchema = {
    ...ours,
    applyDefaults: (object) => {
      const filled = ours.applyDefaults(object);
      return { ...filled, spec: { ...objectAt(filled, 'spec'), region: 'changed-by-hand' } };
    },
  };
  const plain = cases.find((one) => ours.check(one.xr).length === 0 && one.previous === undefined);
  if (plain === undefined) return true;
  const found = await compare(cluster, tampered, plain);
  return !found.some((one) => one.path === 'stored.region');
}
