// Flags and environment of a celld node, checked as its contract says. A refusal ends the process.
import { type ReleaseLine, readTag } from '../../../src/celld/releases.ts';

export interface NodeSettings {
  readonly line: ReleaseLine;
  readonly node: string;
  readonly watch: string;
  readonly listen: SocketAddress;
  readonly internal: SocketAddress;
  readonly advertise: string;
  /** The whole bound of a stop in milliseconds. */
  readonly drainMs: number;
}

export interface SocketAddress {
  readonly host: string;
  readonly port: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Why the process does not start; printed, then exit 1. */
export class Refusal extends Error {}

/** Flags with a value and the variable each is the twin of. */
const TWINS: { readonly [flag: string]: string } = {
  '--bucket': 'CELLD_BUCKET',
  '--endpoint': 'S3_ENDPOINT',
  '--region': 'AWS_REGION',
  '--listen': 'CELLD_ADDR',
  '--internal-listen': 'CELLD_INTERNAL_ADDR',
  '--advertise': 'CELLD_ADVERTISE',
};

/** The environment with the flags laid over it: a flag wins. */
export function withFlags(args: readonly string[], environment: Environment): Environment {
  const result: Record<string, string | undefined> = { ...environment };
  for (let i = 0; i < args.length; i += 2) {
    const [flag = '', value] = [args[i], args[i + 1]];
    const twin = TWINS[flag];
    if (twin === undefined || value === undefined) {
      throw new Refusal(`unexpected argument ${JSON.stringify(flag)}`);
    }
    result[twin] = value;
  }
  return result;
}

/** What the node is to be. Throws a Refusal for whatever that release does not start with. */
export function readNodeSettings(version: string, environment: Environment): NodeSettings {
  const reading = readTag(version);
  if (reading.kind !== 'known') throw new Refusal(`no release ${version}`);
  const { line } = reading;
  checkVariables(line, environment);
  const listen = socketAddress('CELLD_ADDR', environment['CELLD_ADDR'] ?? '127.0.0.1:8080');
  const explicit = environment['CELLD_INTERNAL_ADDR'];
  const internal = socketAddress('CELLD_INTERNAL_ADDR', explicit ?? '127.0.0.1:0');
  if (explicit === undefined && !isLoopback(listen.host)) {
    throw new Refusal('a listener that is not loopback needs an explicit internal listener');
  }
  return {
    line,
    listen,
    internal,
    advertise: readAdvertise(environment['CELLD_ADVERTISE'], internal),
    node: readNode(environment['CELLD_NODE']),
    watch: environment['CELLD_WATCH'] ?? '/tmp/celld',
    drainMs: Number(environment[line.drain?.variable ?? ''] ?? line.drain?.defaultMs ?? 0),
  };
}

const SWITCHES = ['CELLD_STORAGE_PROBE', 'CELLD_OUTPUT_GATE', 'CELLD_LOG_BUNDLE', 'CELLD_CLOUD'];

function checkVariables(line: ReleaseLine, environment: Environment): void {
  for (const [name, value] of Object.entries(environment)) {
    if (!name.startsWith('CELLD_') || value === undefined) continue;
    const complaint = complaintAbout(line, name, value);
    if (complaint !== undefined) throw new Refusal(`${name} ${complaint}`);
  }
}

/** A removed name is refused even when it is empty, and a typed one cannot be empty. */
function complaintAbout(line: ReleaseLine, name: string, value: string): string | undefined {
  if (line.refusedVariables.some((refused) => matches(refused, name))) return 'was removed';
  if (value === '') return 'is empty';
  if (name.endsWith('_MS') && !/^\d+$/u.test(value)) return 'is no number';
  if (SWITCHES.includes(name) && !/^[01]$/u.test(value)) return 'is not 0 or 1';
  const durability = ['fleet', 'bucket'].includes(value);
  return name === 'CELLD_DURABILITY' && !durability ? 'is not fleet or bucket' : undefined;
}

function matches(refused: string, name: string): boolean {
  return refused.endsWith('*') ? name.startsWith(refused.slice(0, -1)) : refused === name;
}

/** Only literals: `0.0.0.0:8080`, `[::]:8080`. */
function socketAddress(name: string, text: string): SocketAddress {
  const found = /^(?:(?<v4>\d+(?:\.\d+){3})|\[(?<v6>[0-9a-f:]+)\]):(?<port>\d+)$/u.exec(
    text,
  )?.groups;
  const host = found?.['v4'] ?? found?.['v6'];
  if (host === undefined) throw new Refusal(`${name} is ${text}: no IP:PORT`);
  return { host, port: Number(found?.['port']) };
}

function isLoopback(host: string): boolean {
  return host === '::1' || host.startsWith('127.');
}

function readAdvertise(text: string | undefined, internal: SocketAddress): string {
  if (text === undefined) {
    if (internal.host === '::' || internal.host === '0.0.0.0') {
      throw new Refusal(
        'CELLD_ADVERTISE is needed: the internal listener has no address of its own',
      );
    }
    return `${internal.host}:${internal.port}`;
  }
  const [, host = '', port] = /^([^:]+):([1-9]\d*)$/u.exec(text) ?? [];
  const labels = host.split('.');
  const fine = labels.every((label) =>
    /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/u.test(label),
  );
  if (port === undefined || !fine || host.length > 253) {
    throw new Refusal(`CELLD_ADVERTISE is ${text}: no HOST:PORT`);
  }
  if (/^[\d.]+$/u.test(host) && !/^(?:10|127|192\.168|172\.(?:1[6-9]|2\d|3[01]))\./u.test(host)) {
    throw new Refusal(`CELLD_ADVERTISE is ${text}: a public address`);
  }
  return text;
}

function readNode(text: string | undefined): string {
  const node = text ?? `node_${process.pid.toString(16)}`;
  if (!/^[A-Za-z0-9._-]{1,128}$/u.test(node)) throw new Refusal(`CELLD_NODE is ${node}`);
  return node;
}
