// A controller of ours: looks at everything a few times a second and takes the next step of each object.
import { appendFileSync } from 'node:fs';
import { isObject, type JsonObject, listAt, stringAt } from '../../src/core/json.ts';
import { isRace } from '../control-plane/cluster.ts';

export interface Loop {
  readonly stop: () => Promise<void>;
  /** While paused nothing is written; for observations that shall stay lost for a while. */
  readonly pause: (paused: boolean) => void;
}

const TICK_MS = 150;

/** Runs a step again and again. What goes wrong, as while the API server restarts, is logged and tried again. */
export function startLoop(log: string, step: () => Promise<void>): Loop {
  let [stopped, paused] = [false, false];
  const turn = async () => {
    while (!stopped) {
      if (!paused) await step().catch((error: unknown) => note(log, error));
      await new Promise((resolve) => setTimeout(resolve, TICK_MS));
    }
  };
  const ended = turn();
  return {
    pause: (wanted) => {
      paused = wanted;
    },
    stop: () => {
      stopped = true;
      return ended;
    },
  };
}

/** Takes one step for each object; an object that changed meanwhile gets its step in the next turn. */
export async function forEach(
  log: string,
  objects: readonly JsonObject[],
  step: (object: JsonObject) => Promise<void>,
): Promise<void> {
  await Promise.all(
    objects.map((object) =>
      step(object).catch((error: unknown) => {
        if (!isRace(error)) note(log, error);
      }),
    ),
  );
}

function note(log: string, error: unknown): void {
  appendFileSync(
    log,
    `${new Date().toISOString()} ${error instanceof Error ? error.stack : error}\n`,
  );
}

/** A condition as a controller writes it. */
export function condition(
  type: string,
  status: 'True' | 'False',
  reason: string,
  message?: string,
): JsonObject {
  const lastTransitionTime = `${new Date().toISOString().slice(0, 19)}Z`;
  return {
    type,
    status,
    reason,
    lastTransitionTime,
    ...(message === undefined ? {} : { message }),
  };
}

/** The object's conditions with the given ones set; one that says the same keeps its time. */
export function withConditions(
  object: JsonObject,
  wanted: readonly JsonObject[],
): readonly JsonObject[] {
  const found = listAt(object, 'status', 'conditions').filter(isObject);
  const same = (a: JsonObject, b: JsonObject) =>
    ['type', 'status', 'reason', 'message'].every((key) => a[key] === b[key]);
  const kept = found.filter((one) => !wanted.some((other) => other['type'] === one['type']));
  return [...kept, ...wanted.map((one) => found.find((other) => same(one, other)) ?? one)];
}

/** True when a condition has this reason. */
export function hasReason(object: JsonObject, type: string, reason: string): boolean {
  return listAt(object, 'status', 'conditions').some(
    (one) => stringAt(one, 'type') === type && stringAt(one, 'reason') === reason,
  );
}
