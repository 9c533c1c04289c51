// The official render: one reconcile of an XR that no cluster knows, and its documents.
import { type Json, type JsonObject, objectAt, stringAt } from '../core/json.ts';
import type { KubeObject } from '../core/kube-object.ts';
import { ProblemError } from '../core/problem.ts';
import { type DocumentOptions, RENDER_TIME, renderDocuments } from './documents.ts';
import { describeObject, nameOf, namespaceOf, renderUid } from './names.ts';
import { type ReconcileInput, reconcile } from './reconcile.ts';

/** What a render is given; the time is not its to choose. */
export type RenderInput = Omit<ReconcileInput, 'now'>;

export interface Rendered {
  /** In the order the official tool prints them. */
  readonly documents: readonly JsonObject[];
  /** Observed resources that a cluster would delete now. The official tool does not tell. */
  readonly deleted: readonly KubeObject[];
}

/** The XR as the render hands it to the reconciler: with a uid, which a file rarely has. */
export function identified(xr: KubeObject): KubeObject {
  const uid = stringAt(xr, 'metadata', 'uid') ?? renderUid(xr);
  return { ...xr, metadata: { ...xr.metadata, uid } };
}

/**
 * Renders an XR that has its defaults. Throws a ProblemError when nothing could be composed: then
 * there is nothing to print.
 */
export async function render(input: RenderInput, options: DocumentOptions): Promise<Rendered> {
  const xr = inserted(identified(input.xr), input.observed);
  const reconciled = await reconcile({ ...input, xr, now: RENDER_TIME });
  if (reconciled.failure !== undefined) {
    const { code, message, hint } = reconciled.failure;
    throw new ProblemError([
      {
        code,
        path: '',
        message: `cannot render ${describeObject(xr)}: cannot compose resources: ${message}`,
        ...(hint === undefined ? {} : { hint }),
      },
    ]);
  }
  return {
    documents: renderDocuments(input.xr, reconciled, options),
    deleted: reconciled.deleted,
  };
}

/** As the official tool's store holds it: a fixed resource version, references to what is observed. */
function inserted(xr: KubeObject, observed: readonly KubeObject[]): KubeObject {
  const metadata = { ...xr.metadata, resourceVersion: '999' };
  if (observed.length === 0) return { ...xr, metadata };
  const spec = objectAt(xr, 'spec');
  const crossplane = objectAt(spec, 'crossplane');
  const resourceRefs = observed.map((object): Json => {
    const ref = { apiVersion: object.apiVersion, kind: object.kind, name: nameOf(object) };
    return namespaceOf(xr) === '' ? { ...ref, namespace: namespaceOf(object) } : ref;
  });
  return { ...xr, metadata, spec: { ...spec, crossplane: { ...crossplane, resourceRefs } } };
}
