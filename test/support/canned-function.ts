// A function that answers with what its input says, as the one behind test/data/official-render did.
import { type JsonObject, objectAt } from '../../src/core/json.ts';
import type { RunFunction } from '../../src/crossplane/function-call.ts';
import { RunFunctionRequest, RunFunctionResponse } from '../../src/crossplane/protocol.ts';

/**
 * Answers `input.response`, the protobuf JSON of a RunFunctionResponse, or the answer under
 * `input.whenRequired` of a requirement that the request carries resources for. What was desired before is kept
 * beneath it, and the request's context unless the answer has one.
 */
export const cannedFunction: RunFunction = async (bytes) => {
  const request = RunFunctionRequest.decode(bytes);
  const answer = RunFunctionResponse.fromJSON(cannedAnswer(request));
  return RunFunctionResponse.encode({
    ...answer,
    meta: { tag: request.meta?.tag ?? '', ttl: answer.meta?.ttl },
    desired: {
      composite: answer.desired?.composite ?? request.desired?.composite,
      resources: { ...request.desired?.resources, ...answer.desired?.resources },
    },
    context: answer.context ?? request.context,
  }).finish();
};

function cannedAnswer(request: RunFunctionRequest): JsonObject {
  const input: JsonObject = request.input ?? {};
  const whenRequired = objectAt(input, 'whenRequired');
  const carried = Object.keys(whenRequired).find(
    (name) => (request.requiredResources[name]?.items.length ?? 0) > 0,
  );
  return carried === undefined ? objectAt(input, 'response') : objectAt(whenRequired, carried);
}
