// Answers about schemas are asked for each object again and never change: they are worked out once.

/** The same function with its answers kept for as long as their schema lives. */
export function remember<S extends object, A>(ask: (schema: S) => A): (schema: S) => A {
  const answers = new WeakMap<S, { readonly answer: A }>();
  return (schema) => {
    const known = answers.get(schema) ?? { answer: ask(schema) };
    answers.set(schema, known);
    return known.answer;
  };
}
