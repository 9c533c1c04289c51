// Environment variables as values. The one place that says what an empty one means.

export type Environment = Readonly<Record<string, string | undefined>>;

/** A variable, or undefined where it is not set or empty. */
export function variable(environment: Environment, name: string): string | undefined {
  const value = environment[name];
  return value === undefined || value === '' ? undefined : value;
}
