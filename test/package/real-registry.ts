// What a build makes, in a real registry and as real containers. Run by `make test-registry`.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@grpc/grpc-js';
import { projectFile } from '../../src/cli/project.ts';
import { type Json, listAt, stringAt } from '../../src/core/json.ts';
import { gunzip } from '../../src/package/oci/gzip.ts';
import { readTar } from '../../src/package/oci/tar.ts';
import { connect, type RegistryClient } from '../../src/package/registry/client.ts';
import { fetchBlob, fetchManifest } from '../../src/package/registry/pull.ts';
import { startAzurite } from '../support/azurite.ts';
import { authority } from '../support/certificates.ts';
import { dockerRegistry, faultyProxy, LOGIN, type Running } from '../support/docker-registry.ts';
import { freePorts } from '../support/free-ports.ts';
import {
  call,
  certificateFolder,
  clientCredentials,
  RUN_FUNCTION,
  smallRequest,
} from '../support/function-client.ts';
import { helmProgram } from '../support/helm-program.ts';
import { readPackage } from '../support/package-reader.ts';
import { xr } from '../support/xr.ts';

interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

const MACHINES: { readonly [architecture: string]: number } = { amd64: 62, arm64: 183 };
const RUN = [
  'run',
  '--rm',
  '--runtime',
  'runc',
  '--ulimit',
  'nofile=1024:1024',
  '--ulimit',
  'nproc=1024:1024',
  '--network',
  'host',
  '--read-only',
  '--cap-drop',
  'all',
];

let folder: string;
let registry: Running;
let client: RegistryClient;
let published: ReadonlyMap<string, string>;

function run(
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [out, err] = ['', ''];
    child.stdout.on('data', (part: Buffer) => {
      out += part;
    });
    child.stderr.on('data', (part: Buffer) => {
      err += part;
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, out, err }));
  });
}

async function succeed(
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<string> {
  const outcome = await run(program, args, env);
  assert.equal(outcome.code, 0, `${program} ${args.join(' ')}\n${outcome.err}`);
  return outcome.out;
}

const celldStack = (...args: readonly string[]) => [projectFile('bin', 'celld-stack'), ...args];
const build = (to: string, ...more: readonly string[]) =>
  succeed(process.execPath, celldStack('build', '--registry', to, ...more));
const push = (env: Record<string, string>, ...more: readonly string[]) =>
  run(process.execPath, celldStack('push', ...more), env);

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'celld-real-'));
  registry = await dockerRegistry();
  client = await connect(registry.host, { credentials: async () => undefined });
  const output = join(folder, 'output');
  await build(`${registry.host}/dev`, '--output', output);
  const { code, out, err } = await push({}, '--output', output);
  assert.equal(code, 0, err);
  published = new Map(
    out
      .trim()
      .split('\n')
      .map((line) => line.split(' ') as [string, string]),
  );
});

after(async () => {
  await registry.stop();
  await run('podman', [
    'rmi',
    '--force',
    ...[...published.values()].filter((one) => one.includes('function')),
  ]);
  rmSync(folder, { recursive: true, force: true });
});

const image = (what: string) => published.get(what) ?? '';
const digestOf = (what: string) => image(what).split('@')[1] ?? '';

describe('a real registry', () => {
  it('holds packages that Crossplane reads', async () => {
    const configuration = await readPackage(client, 'dev/celld-stack', 'v0.1.0');
    const functionPackage = await readPackage(client, 'dev/function-celld-stack', 'v0.1.0');
    assert.deepEqual(
      [configuration.digest, functionPackage.digest],
      [digestOf('configuration'), digestOf('function')],
    );
    assert.deepEqual(
      [...configuration.documents, ...functionPackage.documents].map((one) =>
        stringAt(one, 'kind'),
      ),
      ['Configuration', 'Composition', 'CompositeResourceDefinition', 'Function'],
    );
  });

  it('is read by skopeo', async () => {
    for (const what of ['function', 'runtime', 'configuration', 'chart']) {
      const raw = await succeed('skopeo', [
        'inspect',
        '--raw',
        '--tls-verify=false',
        `docker://${image(what).replace(/:[^:/]+@/u, '@')}`,
      ]);
      const file = join(folder, 'manifest.json');
      writeFileSync(file, raw);
      assert.equal((await succeed('skopeo', ['manifest-digest', file])).trim(), digestOf(what));
    }
  });

  it('holds a binary of its own for each platform, in at most 60 MB', async () => {
    const { document } = await fetchManifest(
      client,
      'dev/function-celld-stack',
      digestOf('function'),
    );
    const children = listAt(document, 'manifests');
    assert.deepEqual(
      children.map(
        (one) => `${stringAt(one, 'platform', 'os')}/${stringAt(one, 'platform', 'architecture')}`,
      ),
      ['linux/amd64', 'linux/arm64'],
    );
    for (const child of children) {
      const manifest = (
        await fetchManifest(client, 'dev/function-celld-stack', stringAt(child, 'digest') ?? '')
      ).document;
      const layers = listAt(manifest, 'layers') as readonly { digest: string; size: number }[];
      const size = layers.reduce((sum, layer) => sum + layer.size, 0);
      assert.ok(size <= 60_000_000, `${size} bytes`);
      const binary = await fileIn(
        layers.map(({ digest }) => digest),
        'usr/local/bin/node',
      );
      const architecture = stringAt(child, 'platform', 'architecture') ?? '';
      assert.equal(Buffer.from(binary).readUInt16LE(18), MACHINES[architecture]);
    }
  });

  it('gives the chart to the real Helm by tag and by digest', async () => {
    const [name = ''] = image('chart').split('@');
    const repository = name.replace(/:[^:/]+$/u, '');
    for (const source of [
      [`oci://${repository}`, '--version', '0.3.1'],
      [`oci://${repository}@${digestOf('chart')}`],
    ]) {
      const rendered = await succeed(
        helmProgram(),
        ['template', 'celld', ...source, '--plain-http', '--set', 'celld.bucket=s3://fleet-bucket'],
        { HELM_CACHE_HOME: join(folder, 'helm'), HELM_CONFIG_HOME: join(folder, 'helm') },
      );
      assert.match(rendered, /^kind: StatefulSet$/mu);
    }
  });
});

async function fileIn(digests: readonly string[], path: string): Promise<Uint8Array> {
  for (const digest of digests) {
    const entries = readTar(gunzip(await fetchBlob(client, 'dev/function-celld-stack', digest)));
    const found = entries.find((entry) => entry.path === path);
    if (found !== undefined) return found.content;
  }
  throw new Error(`no ${path}`);
}

describe('a real container', () => {
  before(async () => {
    for (const what of ['function', 'runtime'])
      await succeed('podman', ['pull', '--quiet', '--tls-verify=false', image(what)]);
  });

  it('answers RunFunction over mTLS, read-only and as its own user', async () => {
    const ca = authority('test CA');
    const tls = certificateFolder(ca.issue('function'), ca);
    chmodSync(tls.folder, 0o755);
    for (const file of readdirSync(tls.folder)) chmodSync(join(tls.folder, file), 0o644);
    const [port = 0] = await freePorts(1);
    const name = `celld-stack-test-${port}`;
    const container = run('podman', [
      ...RUN,
      '--name',
      name,
      '--volume',
      `${tls.folder}:/tls/server:ro`,
      image('function'),
      '--address',
      `127.0.0.1:${port}`,
    ]);
    const grpc = new Client(`localhost:${port}`, clientCredentials(ca, ca.issue('crossplane')));
    try {
      await new Promise<void>((resolve, reject) => {
        grpc.waitForReady(Date.now() + 60_000, (error) => (error ? reject(error) : resolve()));
      });
      const request = {
        ...smallRequest(),
        observed: {
          composite: {
            resource: xr({ bucket: 's3://fleet-bucket' }),
            connectionDetails: {},
            ready: 0,
          },
          resources: {},
        },
      };
      const response = await call(grpc, RUN_FUNCTION, request);
      assert.deepEqual(Object.keys(response.desired?.resources ?? {}).sort(), [
        'helm-release-celld',
        'namespace',
      ]);
      const release = response.desired?.resources['helm-release-celld']?.resource as Json;
      assert.equal(stringAt(release, 'spec', 'forProvider', 'chart', 'digest'), digestOf('chart'));
      assert.equal(
        stringAt(release, 'spec', 'forProvider', 'values', 'bootstrap', 'image', 'digest'),
        digestOf('runtime'),
      );
      const pid = (await succeed('podman', ['inspect', '--format', '{{.State.Pid}}', name])).trim();
      assert.match(readFileSync(`/proc/${pid}/status`, 'utf8'), /^Uid:\t2000\t2000\t2000\t2000$/mu);
      const stranger = new Client(`localhost:${port}`, clientCredentials(ca));
      await assert.rejects(call(stranger, RUN_FUNCTION, request), { code: 14 });
      stranger.close();
    } finally {
      grpc.close();
      await run('podman', ['stop', '--time', '10', name]);
      tls.remove();
    }
    assert.equal((await container).code, 0, (await container).err);
  });

  it('bootstraps a store from the function image and from the one the chart names', async () => {
    const azurite = await startAzurite();
    try {
      for (const what of ['function', 'runtime']) {
        const { code, err } = await run('podman', [
          ...RUN,
          '--env',
          `CELLD_BUCKET=az://celld-${what}`,
          '--env',
          'AZURE_STORAGE_USE_EMULATOR=true',
          '--env',
          `AZURITE_BLOB_STORAGE_URL=${azurite.url}`,
          '--env',
          'CELLD_STACK_PLACEHOLDER=1',
          '--entrypoint',
          'celld-stack',
          image(what),
          'bootstrap',
          '--timeout',
          '30',
        ]);
        assert.equal(code, 0, err);
      }
    } finally {
      await azurite.stop();
    }
  });

  it('tells its version and commit, and has no shell', async () => {
    const version = await succeed('podman', [
      ...RUN,
      '--entrypoint',
      'celld-stack',
      image('function'),
      'version',
    ]);
    assert.match(version, /^0\.1\.0 \(commit [0-9a-f]{40}(?:-modified)?\)\n$/u);
    const shell = await run('podman', [
      ...RUN,
      '--entrypoint',
      '/bin/sh',
      image('function'),
      '-c',
      'true',
    ]);
    assert.notEqual(shell.code, 0);
  });
});

describe('another base', () => {
  it('is taken from a registry by digest, and from the archive of podman save', async () => {
    const archive = join(folder, 'base.tar');
    await succeed('podman', [
      'save',
      '--quiet',
      '--format',
      'docker-archive',
      '--output',
      archive,
      image('runtime'),
    ]);
    const reference = `${registry.host}/dev/function-celld-stack@${digestOf('runtime')}`;
    for (const base of [reference, archive]) {
      const output = join(folder, 'based');
      await build(`${registry.host}/based`, '--output', output, '--base', base);
      const pushed = await push(
        {},
        '--output',
        output,
        '--force',
        '--mount-from',
        'dev/function-celld-stack',
      );
      assert.equal(pushed.code, 0, pushed.err);
      const [, reference = ''] = /^function (\S+)$/mu.exec(pushed.out) ?? [];
      await succeed('podman', ['pull', '--quiet', '--tls-verify=false', reference]);
      const version = await succeed('podman', [
        ...RUN,
        '--entrypoint',
        'celld-stack',
        reference,
        'version',
      ]);
      assert.match(version, /^0\.1\.0 /u);
      await succeed('podman', ['rmi', '--force', reference]);
    }
  });
});

describe('when things go wrong', () => {
  it('gets over 500s and a cut upload before a real registry', async () => {
    const behind = await dockerRegistry();
    const proxy = await faultyProxy(behind.host);
    try {
      const output = join(folder, 'faulty');
      await build(`${proxy.host}/dev`, '--output', output);
      proxy.failNext(2, 'POST', 500);
      proxy.cutNext(5_000_000);
      const pushed = await push({}, '--output', output);
      assert.equal(pushed.code, 0, pushed.err);
      assert.equal(proxy.faults(), 3);
      const reader = await connect(behind.host, { credentials: async () => undefined });
      await readPackage(reader, 'dev/function-celld-stack', 'v0.1.0');
      const [, digest = ''] = /^function \S+@(\S+)$/mu.exec(pushed.out) ?? [];
      const copied = join(folder, 'copied');
      await succeed('skopeo', [
        'copy',
        '--all',
        '--src-tls-verify=false',
        `docker://${behind.host}/dev/function-celld-stack@${digest}`,
        `dir:${copied}`,
      ]);
    } finally {
      await proxy.stop();
      await behind.stop();
    }
  });

  it('logs in with the Docker configuration, and says when the password is wrong', async () => {
    const locked = await dockerRegistry({ login: true });
    try {
      const output = join(folder, 'locked');
      await build(`${locked.host}/dev`, '--output', output);
      const attempt = (password: string) => {
        const home = join(folder, `docker-${password.length}`);
        mkdirSync(home, { recursive: true });
        const auth = Buffer.from(`${LOGIN.user}:${password}`).toString('base64');
        writeFileSync(
          join(home, 'config.json'),
          JSON.stringify({ auths: { [locked.host]: { auth } } }),
        );
        return push({ DOCKER_CONFIG: home }, '--output', output);
      };
      const wrong = await attempt('guess');
      assert.deepEqual({ code: wrong.code, out: wrong.out }, { code: 1, out: '' });
      assert.match(
        wrong.err,
        /^error REGISTRY_AUTH: .* refuses HEAD \S+ with the credentials found: 401$/mu,
      );
      assert.doesNotMatch(wrong.err, /guess/u);
      assert.equal((await attempt(LOGIN.password)).code, 0);
    } finally {
      await locked.stop();
    }
  });

  it('says that the disk is full, and leaves no half file', async () => {
    const small = join(folder, 'small');
    mkdirSync(small);
    await succeed('mount', ['-t', 'tmpfs', '-o', 'size=20m', 'tmpfs', small]);
    try {
      const { code, err } = await run(process.execPath, celldStack('build', '--output', small));
      assert.equal(code, 1);
      assert.match(
        err,
        /error FILE_UNWRITABLE: cannot write to \S+: no space is left on the disk/u,
      );
      assert.deepEqual(
        readdirSync(small, { recursive: true }).filter((name) =>
          /\.[a-z]|SUMS/u.test(String(name)),
        ),
        [],
      );
    } finally {
      await sleep(100);
      await succeed('umount', [small]);
    }
  });
});
