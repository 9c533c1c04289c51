// Charts where stacks look for them, served on loopback: ours at `oci://ghcr.io/hops-ops/charts`, the
// older stack's stand-in at `https://hops-ops.github.io/celld-chart`.
//
// provider-helm is started with an HTTPS proxy that ends every connection here, under a certificate
// of the run's own authority: XRs, function and provider stay exactly as users have them.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { createSecureContext, TLSSocket } from 'node:tls';
import { isObject } from '../../src/core/json.ts';
import { parseYaml, printYaml } from '../../src/manifests/yaml.ts';
import type { Authority } from './certificates.ts';
import { projectFile } from './folders.ts';
import { freePort } from './ports.ts';
import type { Workplace } from './workplace.ts';

const HOST = 'ghcr.io';
const OLDER_HOST = 'hops-ops.github.io';
const OLDER_PATH = '/celld-chart';
const REPOSITORY = 'hops-ops/charts/celld';
const CHART = projectFile('charts', 'celld');
const MANIFEST_TYPE = 'application/vnd.oci.image.manifest.v1+json';

export interface ChartServer {
  /** The address of the proxy, for HTTPS_PROXY. */
  readonly proxy: string;
  /** The version in the chart's Chart.yaml. */
  readonly version: string;
  /** Serves the same chart under another version too. */
  readonly publish: (version: string) => void;
  readonly stop: () => void;
}

/** Packs charts/celld and serves it. */
export async function serveCharts(
  workplace: Workplace,
  authority: Authority,
): Promise<ChartServer> {
  const blobs = new Map<string, Buffer>();
  const manifests = new Map<string, Buffer>();
  const publish = (version: string) => {
    const { archive, metadata } = packChart(workplace, CHART, version);
    const config = Buffer.from(JSON.stringify(metadata));
    const manifest = Buffer.from(
      JSON.stringify({
        schemaVersion: 2,
        mediaType: MANIFEST_TYPE,
        config: describe('application/vnd.cncf.helm.config.v1+json', config),
        layers: [describe('application/vnd.cncf.helm.chart.content.v1.tar+gzip', archive)],
      }),
    );
    for (const blob of [config, archive]) blobs.set(digestOf(blob), blob);
    manifests.set(version, manifest);
    manifests.set(digestOf(manifest), manifest);
  };
  const version = String(readChart(join(CHART, 'Chart.yaml'))['version']);
  publish(version);
  const older = packChart(workplace, projectFile('e2e', 'played', 'older-chart'));

  const registry = createServer((request, response) => {
    if (request.headers.host === OLDER_HOST) answerOlder(request, response, older);
    else answer(request, response, manifests, blobs);
  });
  const pair = await authority.issue(HOST, [HOST, OLDER_HOST]);
  const secureContext = createSecureContext({ cert: pair.certificate, key: pair.key });
  const proxy = createServer((_request, response) => response.writeHead(501).end());
  const open = new Set<Duplex>();
  proxy.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    socket.once('error', () => socket.destroy());
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    const secure = new TLSSocket(socket as never, { isServer: true, secureContext });
    secure.once('error', () => secure.destroy());
    registry.emit('connection', secure);
  });
  const port = await freePort();
  await new Promise<void>((resolve) => proxy.listen(port, '127.0.0.1', resolve));
  return {
    proxy: `http://127.0.0.1:${port}`,
    version,
    publish,
    stop: () => {
      for (const socket of open) socket.destroy();
      proxy.close();
    },
  };
}

interface Packed {
  readonly archive: Buffer;
  readonly metadata: { readonly [key: string]: unknown };
}

/** The chart as Helm packs it: one folder named after the chart, as a gzipped tar. */
function packChart(workplace: Workplace, source: string, version?: string): Packed {
  const folder = mkdtempSync(join(workplace.folder, 'chart-'));
  cpSync(source, join(folder, 'celld'), { recursive: true });
  const file = join(folder, 'celld', 'Chart.yaml');
  const metadata = { ...readChart(file), ...(version === undefined ? {} : { version }) };
  writeFileSync(file, printYaml(metadata as never));
  const archive = join(folder, 'chart.tgz');
  const packed = spawnSync('tar', ['-czf', archive, '-C', folder, 'celld'], { encoding: 'utf8' });
  if (packed.status !== 0) throw new Error(`cannot pack the chart: ${packed.stderr}`);
  return { archive: readFileSync(archive), metadata };
}

function readChart(file: string): { [key: string]: unknown } {
  const value = parseYaml(readFileSync(file, 'utf8'), file).documents[0]?.value;
  return isObject(value) ? { ...value } : {};
}

function digestOf(blob: Buffer): string {
  return `sha256:${createHash('sha256').update(blob).digest('hex')}`;
}

function describe(mediaType: string, blob: Buffer): object {
  return { mediaType, digest: digestOf(blob), size: blob.length };
}

/** The reading half of the registry API. */
function answer(
  request: IncomingMessage,
  response: ServerResponse,
  manifests: ReadonlyMap<string, Buffer>,
  blobs: ReadonlyMap<string, Buffer>,
): void {
  const path = new URL(request.url ?? '/', `https://${HOST}`).pathname;
  const send = (body: Buffer | undefined, type: string) => {
    if (body === undefined) {
      const errors = [{ code: 'MANIFEST_UNKNOWN', message: 'not found' }];
      response.writeHead(404, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ errors }));
      return;
    }
    response.writeHead(200, {
      'content-type': type,
      'content-length': body.length,
      'docker-content-digest': digestOf(body),
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  };
  const [, kind, name] =
    new RegExp(`^/v2/${REPOSITORY}/(manifests|blobs|tags)/(.+)$`, 'u').exec(path) ?? [];
  if (path === '/v2/') send(Buffer.from('{}'), 'application/json');
  else if (kind === 'tags') {
    const tags = [...manifests.keys()].filter((tag) => !tag.startsWith('sha256:'));
    send(Buffer.from(JSON.stringify({ name: REPOSITORY, tags })), 'application/json');
  } else if (kind === 'manifests') send(manifests.get(name ?? ''), MANIFEST_TYPE);
  else send(blobs.get(name ?? ''), 'application/octet-stream');
}

/** A classic Helm repository of one chart. */
function answerOlder(request: IncomingMessage, response: ServerResponse, older: Packed): void {
  const base = `https://${OLDER_HOST}${OLDER_PATH}`;
  const file = `celld-${older.metadata['version']}.tgz`;
  if (request.url === `${OLDER_PATH}/index.yaml`) {
    const entry = {
      ...older.metadata,
      urls: [`${base}/${file}`],
      digest: digestOf(older.archive).slice(7),
    };
    const entries = { celld: [entry] };
    response.end(printYaml({ apiVersion: 'v1', entries } as never));
  } else if (request.url === `${OLDER_PATH}/${file}`) response.end(older.archive);
  else response.writeHead(404).end();
}
