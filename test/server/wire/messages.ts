// Any message between Crossplane and a function, for properties.
import fc from 'fast-check';
import type { JsonObject } from '../../../src/core/json.ts';
import type {
  Resource,
  RunFunctionRequest,
  RunFunctionResponse,
  State,
} from '../../../src/crossplane/protocol.ts';

// Names such as `__proto__` are tested apart: the SDK, which is the oracle, loses them.
const key = fc
  .string({ unit: 'grapheme', maxLength: 80 })
  .filter((text) => !(text in Object.prototype));
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ minLength: 60, maxLength: 300 }),
);
const small = fc.nat({ max: 200 });

function map<T>(value: fc.Arbitrary<T>): fc.Arbitrary<{ [key: string]: T }> {
  return fc.dictionary(key, value, { maxKeys: 4, noNullPrototype: true });
}

export const json: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constant(null),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    text,
    fc.array(tie('value'), { maxLength: 4 }),
    map(tie('value')),
  ),
}))['value'];

const struct = map(json) as fc.Arbitrary<JsonObject>;
const bytes = fc.uint8Array({ maxLength: 20 }).map((array) => Buffer.from(array));

const resource: fc.Arbitrary<Resource> = fc.record({
  resource: fc.option(struct, { nil: undefined }),
  connectionDetails: map(bytes),
  ready: fc.nat({ max: 2 }),
});

const state: fc.Arbitrary<State> = fc.record({
  composite: fc.option(resource, { nil: undefined }),
  resources: map(resource),
});

const resources = map(fc.record({ items: fc.array(resource, { maxLength: 3 }) }));

/** Any request, with what the function does not read filled in as well. */
export const request: fc.Arbitrary<RunFunctionRequest> = fc.record({
  meta: fc.option(fc.record({ tag: text, capabilities: fc.array(fc.nat({ max: 5 })) }), {
    nil: undefined,
  }),
  observed: fc.option(state, { nil: undefined }),
  desired: fc.option(state, { nil: undefined }),
  input: fc.option(struct, { nil: undefined }),
  context: fc.option(struct, { nil: undefined }),
  extraResources: resources,
  credentials: map(fc.record({ credentialData: fc.record({ data: map(bytes) }) })),
  requiredResources: resources,
  requiredSchemas: map(fc.record({ openapiV3: struct })),
});

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const selectors = map(
  fc.record({
    apiVersion: text,
    kind: text,
    matchName: optional(text),
    matchLabels: optional(fc.record({ labels: map(text) })),
    namespace: optional(text),
  }),
);

/** Any response. */
export const response: fc.Arbitrary<RunFunctionResponse> = fc.record({
  meta: optional(
    fc.record({ tag: text, ttl: optional(fc.record({ seconds: fc.maxSafeNat(), nanos: small })) }),
  ),
  desired: optional(state),
  results: fc.array(
    fc.record({
      severity: fc.nat({ max: 3 }),
      message: text,
      reason: optional(text),
      target: optional(fc.nat({ max: 2 })),
    }),
    { maxLength: 3 },
  ),
  context: optional(struct),
  requirements: optional(
    fc.record({
      extraResources: selectors,
      resources: selectors,
      schemas: map(fc.record({ apiVersion: text, kind: text })),
    }),
  ),
  conditions: fc.array(
    fc.record({
      type: text,
      status: fc.nat({ max: 3 }),
      reason: text,
      message: optional(text),
      target: optional(fc.nat({ max: 2 })),
    }),
    { maxLength: 3 },
  ),
  output: optional(struct),
});
