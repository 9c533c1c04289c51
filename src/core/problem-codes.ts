// Every code a problem can have. Codes are API: users and tests match on them, docs/errors.md explains each.

export const PROBLEM_CODES = [
  // Command line and files
  'USAGE',
  'FILE_UNREADABLE',
  'YAML_SYNTAX',
  'NOT_A_RESOURCE',
] as const;

export type ProblemCode = (typeof PROBLEM_CODES)[number];
