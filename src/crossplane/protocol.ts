// The messages between Crossplane and a function, as the SDK generated them. The only importer of the SDK:
// its helpers are not used, since they concatenate arrays on merge and share state between request and response.
export {
  Capability,
  type Condition,
  type Credentials,
  FunctionRunnerServiceService,
  Ready,
  Requirements,
  type Resource,
  type ResourceSelector,
  type Resources,
  type Result,
  RunFunctionRequest,
  RunFunctionResponse,
  type Schema,
  Severity,
  State,
  Status,
  Target,
} from '@crossplane-org/function-sdk-typescript';
