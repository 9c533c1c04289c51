// Credentials for a registry, from where `docker login` and its like keep them.
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isObject, type Json, type JsonObject, objectAt, stringAt } from '../../core/json.ts';
import { messageOf, oneLine, refuse } from '../../core/problem.ts';
import { askTool } from '../runtime/tool.ts';

export type Credentials =
  | { readonly kind: 'password'; readonly user: string; readonly password: string }
  /** A refresh token that a registry's token service takes for an access token. */
  | { readonly kind: 'identity'; readonly token: string };

/** Docker Hub keeps its credentials under an address of its own. */
const DOCKER_HUB = 'https://index.docker.io/v1/';

/** The file of the Docker configuration: `$DOCKER_CONFIG/config.json`, else `~/.docker/config.json`. */
export function dockerConfigFile(): string {
  const folder = process.env['DOCKER_CONFIG'];
  return join(
    folder === undefined || folder === '' ? join(homedir(), '.docker') : folder,
    'config.json',
  );
}

/**
 * The credentials for a registry: its own helper, then the common one, then the file itself; undefined
 * when there are none. Throws a REGISTRY_AUTH problem for a file or a helper that does not answer as it should.
 */
export async function findCredentials(
  registry: string,
  file = dockerConfigFile(),
): Promise<Credentials | undefined> {
  if (!existsSync(file)) return undefined;
  const config = readConfig(file);
  const names = namesOf(registry);
  const helpers = objectAt(config, 'credHelpers');
  const own = names.map((name) => stringAt(helpers, name)).find((one) => one !== undefined);
  const helper = own ?? stringAt(config, 'credsStore');
  if (helper !== undefined) {
    for (const name of names) {
      const found = await askHelper(helper, name);
      if (found !== undefined) return found;
    }
  }
  const auths = objectAt(config, 'auths');
  return names.map((name) => credentialsIn(objectAt(auths, name))).find((one) => one !== undefined);
}

function readConfig(file: string): JsonObject {
  try {
    const parsed = JSON.parse(readFileSync(file, 'utf8')) as Json;
    if (isObject(parsed)) return parsed;
  } catch (error) {
    return refuse('REGISTRY_AUTH', `cannot read ${file}: ${oneLine(messageOf(error))}`);
  }
  return refuse('REGISTRY_AUTH', `${file} holds no object: expected a Docker configuration`);
}

/** A registry may stand in the configuration with or without a scheme and a path. */
function namesOf(registry: string): string[] {
  const plain = [
    registry,
    `https://${registry}`,
    `https://${registry}/v1/`,
    `https://${registry}/v2/`,
  ];
  return registry === 'docker.io' || registry === 'registry-1.docker.io'
    ? [DOCKER_HUB, ...plain]
    : plain;
}

function credentialsIn(entry: JsonObject): Credentials | undefined {
  const token = stringAt(entry, 'identitytoken');
  if (token !== undefined) return { kind: 'identity', token };
  const [user, password] = [stringAt(entry, 'username'), stringAt(entry, 'password')];
  if (user !== undefined && password !== undefined) return { kind: 'password', user, password };
  const pair = Buffer.from(stringAt(entry, 'auth') ?? '', 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  if (colon < 1) return undefined;
  return { kind: 'password', user: pair.slice(0, colon), password: pair.slice(colon + 1) };
}

/** The protocol of docker-credential-helpers: the address on standard input, an object on standard output. */
async function askHelper(helper: string, name: string): Promise<Credentials | undefined> {
  const program = `docker-credential-${helper}`;
  const answer = await askTool(program, ['get'], { input: name });
  if (answer === undefined) {
    return refuse(
      'REGISTRY_AUTH',
      `the Docker configuration names the credential helper ${program}, which is not installed`,
    );
  }
  if (answer.code !== 0) {
    const text = `${answer.out.toString()} ${answer.err}`;
    if (/not found/iu.test(text)) return undefined;
    // What a helper says may repeat what it was given, never the secret, which it did not find.
    return refuse(
      'REGISTRY_AUTH',
      `${program} has no credentials for ${name}: ${oneLine(text).slice(0, 200)}`,
    );
  }
  const found = parseHelperAnswer(answer.out.toString(), program);
  const [user, secret] = [stringAt(found, 'Username'), stringAt(found, 'Secret')];
  if (secret === undefined) return undefined;
  return user === undefined || user === '<token>'
    ? { kind: 'identity', token: secret }
    : { kind: 'password', user, password: secret };
}

function parseHelperAnswer(text: string, program: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return refuse('REGISTRY_AUTH', `${program} answered with something that is no JSON`);
  }
}
