// The messages between Crossplane and a function, as the SDK generated them. The only importer of the SDK:
// its helpers are not used, since they concatenate arrays on merge and share state between request and response.
export {
  Capability,
  type Condition,
  FunctionRunnerServiceService,
  Ready,
  type Resource,
  type ResourceSelector,
  type Result,
  RunFunctionRequest,
  RunFunctionResponse,
  Severity,
  State,
  Status,
  Target,
} from '@crossplane-org/function-sdk-typescript';
