// Chance that can be repeated: the same seed, the same cases.

export interface Random {
  /** A whole number from 0 up to, not including, the bound. */
  readonly below: (bound: number) => number;
  readonly pick: <T>(choices: readonly T[]) => T;
  readonly chance: (probability: number) => boolean;
}

/** A generator for a seed (mulberry32). */
export function random(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (bound: number) => Math.floor(next() * bound);
  return {
    below,
    chance: (probability) => next() < probability,
    pick: (choices) => {
      const found = choices[below(choices.length)];
      if (found === undefined) throw new RangeError('nothing to pick from');
      return found;
    },
  };
}
