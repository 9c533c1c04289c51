import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Composed, Observation } from '../../src/compose/composed.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import {
  Capability,
  Ready,
  RunFunctionRequest,
  RunFunctionResponse,
  Severity,
  Status,
  Target,
} from '../../src/crossplane/protocol.ts';
import { handler, TTL_SECONDS } from '../../src/server/handler.ts';
import { json } from './wire/messages.ts';

const XR = {
  apiVersion: 'hops.ops.com.ai/v1alpha1',
  kind: 'CelldStack',
  metadata: { name: 'demo', namespace: 'team-a' },
  spec: { clusterName: 'prod' },
};
const NAMESPACE = {
  apiVersion: 'kubernetes.m.crossplane.io/v1alpha1',
  kind: 'Object',
  metadata: { name: 'demo-namespace' },
};
const NOTHING: Composed = {
  resources: {},
  status: {},
  conditions: [],
  notices: [],
  requirements: {},
  complete: true,
};

/** What Crossplane sends, after the trip over the wire. */
function request(more: Partial<RunFunctionRequest> = {}): RunFunctionRequest {
  const message: RunFunctionRequest = {
    meta: { tag: 'tag-1', capabilities: [Capability.CAPABILITY_CAPABILITIES] },
    observed: { composite: resource(XR), resources: {} },
    desired: { composite: undefined, resources: {} },
    input: undefined,
    context: undefined,
    extraResources: {},
    requiredResources: {},
    requiredSchemas: {},
    credentials: {},
    ...more,
  };
  return RunFunctionRequest.decode(RunFunctionRequest.encode(message).finish());
}

function resource(object: JsonObject | undefined, ready = Ready.READY_UNSPECIFIED) {
  return { resource: object, connectionDetails: {}, ready };
}

/** What Crossplane receives, after the trip over the wire. */
function answer(
  composed: Partial<Composed>,
  more: Partial<RunFunctionRequest> = {},
): RunFunctionResponse {
  const response = handler(() => ({ ...NOTHING, ...composed }))(deepFreeze(request(more)));
  return RunFunctionResponse.decode(RunFunctionResponse.encode(response).finish());
}

/** What compose is shown for a request. */
function observation(more: Partial<RunFunctionRequest>): Observation {
  const seen: Observation[] = [];
  handler((one) => {
    seen.push(one);
    return NOTHING;
  })(deepFreeze(request(more)));
  assert.equal(seen.length, 1);
  return seen[0] as Observation;
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) {
    Object.freeze(value);
    for (const child of Object.values(value)) deepFreeze(child);
  }
  return value;
}

const META = { tag: 'tag-1', ttl: { seconds: TTL_SECONDS, nanos: 0 } };

describe('handler()', () => {
  it('answers with whole resources, readiness, status, conditions, results and requirements', () => {
    const response = answer({
      resources: {
        namespace: { object: NAMESPACE, ready: true },
        'helm-release-celld': { object: { ...NAMESPACE, kind: 'Release' }, ready: false },
      },
      status: { ready: false, nodes: 0, service: null },
      conditions: [
        { type: 'StorageReady', status: 'True', reason: 'Available' },
        { type: 'ReleaseReady', status: 'False', reason: 'Waiting', message: 'waits for it' },
        { type: 'FleetReady', status: 'Unknown', reason: 'NotObserved' },
      ],
      notices: [
        { severity: 'warning', reason: 'UnknownTag', message: 'tag "x" is not known' },
        { severity: 'normal', reason: 'Created', message: 'made it' },
      ],
      requirements: {
        same: { apiVersion: 'helm/v1', kind: 'Release', matchLabels: { a: 'b' } },
      },
    });
    assert.deepEqual(response, {
      meta: META,
      desired: {
        composite: resource({
          apiVersion: XR.apiVersion,
          kind: XR.kind,
          status: { ready: false, nodes: 0, service: null },
        }),
        resources: {
          namespace: resource(NAMESPACE, Ready.READY_TRUE),
          'helm-release-celld': resource({ ...NAMESPACE, kind: 'Release' }, Ready.READY_FALSE),
        },
      },
      results: [
        {
          severity: Severity.SEVERITY_WARNING,
          reason: 'UnknownTag',
          message: 'tag "x" is not known',
          target: Target.TARGET_COMPOSITE,
        },
        {
          severity: Severity.SEVERITY_NORMAL,
          reason: 'Created',
          message: 'made it',
          target: Target.TARGET_COMPOSITE,
        },
      ],
      conditions: [
        condition('StorageReady', Status.STATUS_CONDITION_TRUE, 'Available', undefined),
        condition('ReleaseReady', Status.STATUS_CONDITION_FALSE, 'Waiting', 'waits for it'),
        condition('FleetReady', Status.STATUS_CONDITION_UNKNOWN, 'NotObserved', undefined),
      ],
      context: undefined,
      requirements: {
        resources: {
          same: {
            apiVersion: 'helm/v1',
            kind: 'Release',
            matchName: undefined,
            matchLabels: { labels: { a: 'b' } },
            namespace: undefined,
          },
        },
        extraResources: {},
        schemas: {},
      },
      output: undefined,
    });
  });

  it('keeps what earlier steps desired, and replaces a resource of ours whole', () => {
    const foreign = resource({ apiVersion: 'v1', kind: 'Secret', ports: [80, 443, 80] });
    const response = answer(
      { resources: { namespace: { object: NAMESPACE, ready: true } }, status: { nodes: 3 } },
      {
        desired: {
          composite: {
            resource: { apiVersion: 'a/v1', kind: 'B', status: { owner: 'x', nodes: 1 } },
            connectionDetails: { user: Buffer.from('u') },
            ready: Ready.READY_FALSE,
          },
          resources: { foreign, namespace: resource({ old: [1] }, Ready.READY_FALSE) },
        },
      },
    );
    assert.deepEqual(response.desired, {
      composite: {
        resource: { apiVersion: XR.apiVersion, kind: XR.kind, status: { owner: 'x', nodes: 3 } },
        connectionDetails: { user: Buffer.from('u') },
        ready: Ready.READY_FALSE,
      },
      resources: { foreign, namespace: resource(NAMESPACE, Ready.READY_TRUE) },
    });
  });

  const readiness = [
    { complete: true, ready: Ready.READY_UNSPECIFIED, why: 'nothing is to come' },
    { complete: false, ready: Ready.READY_FALSE, why: 'a gate is closed' },
  ];
  for (const { complete, ready, why } of readiness) {
    it(`says composite.ready ${Ready[ready]} when ${why}`, () => {
      assert.equal(answer({ complete }).desired?.composite?.ready, ready);
    });
  }

  it('sends no requirements message when nothing is required', () => {
    assert.equal(answer({}).requirements, undefined);
  });

  it('passes the context through and ignores the input', () => {
    const context = { 'some.key/x': { a: [1, null, 'two'] } };
    assert.deepEqual(answer({}, { context, input: { a: 1 } }), answer({}, { context }));
    assert.deepEqual(answer({}, { context }).context, context);
  });

  it('answers fatal notices with one fatal result alone, and desires what was desired', () => {
    const desired = {
      composite: resource({ status: { a: 1 } }, Ready.READY_TRUE),
      resources: { live: resource({ kind: 'Release' }, Ready.READY_TRUE) },
    };
    const response = answer(
      {
        resources: { namespace: { object: NAMESPACE, ready: true } },
        status: { nodes: 3 },
        conditions: [{ type: 'ReleaseReady', status: 'False', reason: 'Conflict' }],
        notices: [
          { severity: 'warning', reason: 'W', message: 'w' },
          { severity: 'fatal', reason: 'BadBucket', message: 'spec.bucket: no' },
          { severity: 'fatal', reason: 'BadRegion', message: 'spec.aws.region: no' },
        ],
        requirements: { same: { apiVersion: 'helm/v1', kind: 'Release', matchLabels: {} } },
        complete: false,
      },
      { desired, context: { kept: true } },
    );
    assert.deepEqual(response, {
      meta: META,
      desired,
      results: [fatal('BadBucket', 'spec.bucket: no; spec.aws.region: no')],
      conditions: [condition('ReleaseReady', Status.STATUS_CONDITION_FALSE, 'Conflict', undefined)],
      context: { kept: true },
      requirements: undefined,
      output: undefined,
    });
  });

  it('answers a throw with one fatal result that says it is a defect, and hands it on', () => {
    const desired = { composite: undefined, resources: { live: resource({ kind: 'Release' }) } };
    const seen: unknown[] = [];
    const boom = new TypeError('x is\nnot a function');
    const response = handler(
      () => {
        throw boom;
      },
      (error) => seen.push(error),
    )(request({ desired }));
    assert.deepEqual(response, {
      meta: META,
      desired,
      results: [
        fatal(
          'Defect',
          'this is a defect of celld-stack and nothing was changed: x is not a function',
        ),
      ],
      conditions: [],
      context: undefined,
      requirements: undefined,
    });
    assert.deepEqual(seen, [boom]);
  });

  const incomplete: readonly { xr: JsonObject | undefined; missing: string; why: string }[] = [
    { xr: undefined, missing: '', why: 'there is none' },
    { xr: {}, missing: '.apiVersion', why: 'it is empty' },
    { xr: { ...XR, kind: '' }, missing: '.kind', why: 'it has no kind' },
    { xr: { ...XR, metadata: [] }, missing: '.metadata.name', why: 'it has no name' },
  ];
  for (const { xr, missing, why } of incomplete) {
    it(`names what is missing from the XR when ${why}`, () => {
      const composite = xr === undefined ? undefined : resource(xr);
      assert.deepEqual(answer({}, { observed: { composite, resources: {} } }).results, [
        fatal(
          'NoCompositeResource',
          `cannot compose the stack: the request has no observed.composite.resource${missing}: expected the observed composite resource`,
        ),
      ]);
    });
  }

  it('answers a request that is empty', () => {
    const empty = RunFunctionRequest.decode(new Uint8Array());
    assert.deepEqual(handler(() => NOTHING)(empty), {
      meta: { tag: '', ttl: { seconds: TTL_SECONDS, nanos: 0 } },
      desired: undefined,
      results: [
        fatal(
          'NoCompositeResource',
          'cannot compose the stack: the request has no observed.composite.resource: expected the observed composite resource',
        ),
      ],
      conditions: [],
      context: undefined,
      requirements: undefined,
    });
  });

  it('shows compose the XR, what is observed and what was required', () => {
    const release = { apiVersion: 'helm/v1', kind: 'Release', metadata: { name: 'celld' } };
    assert.deepEqual(
      observation({
        observed: {
          composite: resource(XR),
          resources: { namespace: resource(NAMESPACE), empty: resource(undefined) },
        },
        extraResources: {
          older: { items: [resource(release)] },
          both: { items: [] },
        },
        requiredResources: {
          both: { items: [resource(release), resource(NAMESPACE)] },
          none: { items: [] },
        },
      }),
      {
        xr: XR,
        resources: { namespace: NAMESPACE, empty: {} },
        required: { older: [release], both: [release, NAMESPACE], none: [] },
      },
    );
  });

  const notJson: readonly { value: unknown; what: string }[] = [
    { value: Number.NaN, what: 'number NaN' },
    { value: Number.POSITIVE_INFINITY, what: 'number Infinity' },
    { value: 1n, what: 'bigint 1' },
    { value: [undefined], what: 'undefined undefined' },
    { value: new Map(), what: 'object [object Map]' },
  ];
  for (const { value, what } of notJson) {
    it(`takes ${what} in a resource for a defect instead of sending something else`, () => {
      const object = { ...NAMESPACE, spec: { a: [{ b: value }] } } as unknown as typeof NAMESPACE;
      const place = `resources.namespace.spec.a[0].b${Array.isArray(value) ? '[0]' : ''}`;
      assert.deepEqual(answer({ resources: { namespace: { object, ready: true } } }).results, [
        fatal(
          'Defect',
          `this is a defect of celld-stack and nothing was changed: ${place} is ${what}: expected a JSON value`,
        ),
      ]);
    });
  }

  it('carries every JSON value both ways unchanged', () => {
    fc.assert(
      fc.property(json as fc.Arbitrary<Json>, (value) => {
        const xr = { ...XR, spec: { value } };
        const object = { ...NAMESPACE, spec: { value } };
        const response = answer(
          { resources: { namespace: { object, ready: true } }, status: { value } },
          { observed: { composite: resource(xr), resources: {} } },
        );
        assert.deepEqual(
          plain(observation({ observed: { composite: resource(xr), resources: {} } }).xr),
          plain(xr),
        );
        assert.deepEqual(
          plain(response.desired?.resources['namespace']?.resource as JsonObject),
          plain(object),
        );
        assert.deepEqual(
          plain(response.desired?.composite?.resource?.['status']),
          plain({ value }),
        );
      }),
      { numRuns: 200 },
    );
  });
});

/** JSON knows no negative zero. */
function plain(value: Json): unknown {
  return JSON.parse(JSON.stringify(value));
}

function fatal(reason: string, message: string) {
  return { severity: Severity.SEVERITY_FATAL, reason, message, target: Target.TARGET_COMPOSITE };
}

function condition(type: string, status: Status, reason: string, message: string | undefined) {
  return { type, status, reason, message, target: Target.TARGET_COMPOSITE };
}
