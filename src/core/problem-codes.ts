// Every code a problem can have. Codes are API: users and tests match on them, docs/errors.md explains each.

export const PROBLEM_CODES = [
  // Command line and files
  'USAGE',
  'FILE_UNREADABLE',
  'YAML_SYNTAX',
  'NOT_A_RESOURCE',
  // Rendering
  'COMPOSED_DUPLICATE',
  'COMPOSED_INVALID',
  'COMPOSED_NAME',
  'COMPOSED_OWNER',
  'COMPOSED_SCOPE',
  'COMPOSITION_INVALID',
  'COMPOSITION_MISMATCH',
  'CONTEXT_VALUE',
  'CREDENTIALS_MISSING',
  'FUNCTION_ANSWER',
  'FUNCTION_FATAL',
  'FUNCTION_MISSING',
  'FUNCTION_REQUIREMENTS',
  'FUNCTION_RUNTIME',
  'FUNCTION_UNREACHABLE',
  'OBSERVED_RESOURCE',
  'XR_MISSING',
  'XRD_MISMATCH',
  // Tests of XRs
  'CASE_DIFFERS',
  'CASE_INVALID',
] as const;

export type ProblemCode = (typeof PROBLEM_CODES)[number];
