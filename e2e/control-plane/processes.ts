// Processes of a run, each known by its id and start time in a file, so that a later run can end what a killed one left.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { appendFileSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Running {
  readonly name: string;
  readonly pid: number;
  readonly log: string;
  /** The exit code once it has ended. */
  readonly ended: () => number | string | undefined;
  /** Asks it to end and waits; after `patienceMs` it is killed. */
  readonly stop: (patienceMs?: number) => Promise<void>;
  /** Ends it without a word, as a crash would, and waits. */
  readonly kill: () => Promise<void>;
}

export interface ProcessOptions {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: { readonly [name: string]: string };
  /** The run's folder: its list of processes and its logs are there. */
  readonly folder: string;
  readonly cwd?: string;
}

/** Starts a process in a group of its own, its output in a log file. */
export function startProcess(options: ProcessOptions): Running {
  const log = join(options.folder, 'logs', `${options.name}.log`);
  const output = openSync(log, 'a');
  const child = spawn(options.command, [...options.args], {
    cwd: options.cwd ?? options.folder,
    // Only what a process needs: a proxy or a kubeconfig of the caller must not reach it.
    env: { PATH: process.env['PATH'] ?? '', HOME: options.folder, ...options.env },
    stdio: ['ignore', output, output],
    detached: true,
  });
  const pid = child.pid;
  if (pid === undefined) throw new Error(`cannot start ${options.command}`);
  appendFileSync(join(options.folder, 'processes'), `${pid} ${startOf(pid)}\n`);
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const ended = () => child.exitCode ?? child.signalCode ?? undefined;
  const signal = (name: NodeJS.Signals) => signalGroup(child, pid, name);
  return {
    name: options.name,
    pid,
    log,
    ended,
    stop: async (patienceMs = 5000) => {
      if (ended() !== undefined) return;
      signal('SIGTERM');
      await Promise.race([exited, sleep(patienceMs, undefined, { ref: false })]);
      if (ended() === undefined) signal('SIGKILL');
      await exited;
    },
    kill: async () => {
      if (ended() !== undefined) return;
      signal('SIGKILL');
      await exited;
    },
  };
}

function signalGroup(child: ChildProcess, pid: number, name: NodeJS.Signals): void {
  if (child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-pid, name);
  } catch (error) {
    if ((error as { code?: string }).code !== 'ESRCH') throw error;
  }
}

/** When a process started, as a text that no later process with the same id has; empty when there is none. */
export function startOf(pid: number): string {
  try {
    // The 22nd field; the second, in parentheses, may hold spaces.
    return (
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /u, '')
        .split(' ')[19] ?? ''
    );
  } catch {
    const found = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
    return (found.stdout ?? '').trim().replaceAll(' ', '_');
  }
}

/** Kills the processes of a list that are still the ones it names, and waits until they are gone. */
export async function endListed(list: string): Promise<void> {
  const alive = () =>
    list
      .split('\n')
      .map((line) => line.split(' '))
      .filter(([pid, start]) => pid && start && startOf(Number(pid)) === start)
      .map(([pid]) => Number(pid));
  for (const pid of alive()) {
    try {
      process.kill(-pid, 'SIGKILL');
    } catch (error) {
      if ((error as { code?: string }).code !== 'ESRCH') throw error;
    }
  }
  for (let tries = 0; tries < 100 && alive().length > 0; tries++) await sleep(50);
}
