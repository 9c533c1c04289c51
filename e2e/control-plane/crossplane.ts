// Crossplane core, our XRD and Composition, and the function's process that core calls over mTLS.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isObject, listAt, stringAt, valueAt } from '../../src/core/json.ts';
import { loadManifests } from '../../src/manifests/load.ts';
import type { Authority } from './certificates.ts';
import type { Cluster } from './cluster.ts';
import { projectFile } from './folders.ts';
import { type Kubernetes, untilEstablished, untilHealthy } from './kubernetes.ts';
import { parseMetrics, type Sample } from './metrics.ts';
import { freePort } from './ports.ts';
import { type Running, startProcess } from './processes.ts';
import { buildTool } from './tools.ts';
import type { Workplace } from './workplace.ts';

export interface Core {
  readonly metrics: () => Promise<readonly Sample[]>;
  readonly restart: () => Promise<void>;
  readonly process: () => Running;
}

/** A folder with ca.crt, tls.crt and tls.key, as core and the function want it. */
export async function certificateFolder(
  workplace: Workplace,
  authority: Authority,
  name: string,
): Promise<string> {
  const pair = await authority.issue(name);
  workplace.write(`${name}/ca.crt`, authority.certificate);
  workplace.write(`${name}/tls.crt`, pair.certificate);
  workplace.write(`${name}/tls.key`, pair.key);
  return join(workplace.folder, name);
}

/** Starts core and its webhook that refuses the deletion of what a Usage protects. */
export async function startCore(
  workplace: Workplace,
  authority: Authority,
  kubernetes: Kubernetes,
  say: (line: string) => void,
): Promise<Core> {
  const [webhook, metrics, health] = [await freePort(), await freePort(), await freePort()];
  const certificates = await certificateFolder(workplace, authority, 'core-certificates');
  const cache = join(workplace.folder, 'xpkg');
  mkdirSync(cache);
  const { cluster } = kubernetes;
  await cluster.apply({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'crossplane-system' },
  });
  const start = () =>
    startProcess({
      name: 'crossplane',
      command: buildTool('crossplane', say),
      folder: workplace.folder,
      args: [
        'core',
        'start',
        '--package-runtime=External',
        // A breaker that opens stops a stack for minutes. What it would have done at its default of 100
        // is computed from the recorded events (scenarios/counts.ts), so that nothing waits for it here.
        '--circuit-breaker-burst=1000',
        `--webhook-port=${webhook}`,
        `--metrics-port=${metrics}`,
        `--health-probe-port=${health}`,
        `--xpkg-cache-dir=${cache}`,
      ],
      env: {
        KUBECONFIG: kubernetes.kubeconfig('crossplane'),
        POD_NAMESPACE: 'crossplane-system',
        TLS_SERVER_CERTS_DIR: certificates,
        TLS_CLIENT_CERTS_DIR: certificates,
      },
    });
  let process = start();
  const healthy = () => untilHealthy(process, () => fetchOk(`http://127.0.0.1:${health}/readyz`));
  await healthy();
  await protectUsed(cluster, webhook, authority.certificate);
  return {
    process: () => process,
    metrics: async () => parseMetrics(await fetchOk(`http://127.0.0.1:${metrics}/metrics`)),
    restart: async () => {
      await process.kill();
      process = start();
      await healthy();
    },
  };
}

async function fetchOk(url: string): Promise<string> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return answer.text();
}

/** The webhook configuration that Crossplane's own chart installs, by URL instead of by Service. */
async function protectUsed(cluster: Cluster, port: number, authority: string): Promise<void> {
  await cluster.apply({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'crossplane-no-usages' },
    webhooks: [
      {
        name: 'nousages.protection.crossplane.io',
        admissionReviewVersions: ['v1'],
        clientConfig: {
          url: `https://127.0.0.1:${port}/validate-no-usages`,
          caBundle: Buffer.from(authority).toString('base64'),
        },
        failurePolicy: 'Fail',
        objectSelector: { matchLabels: { 'crossplane.io/in-use': 'true' } },
        rules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['DELETE'], resources: ['*'] }],
        sideEffects: 'None',
      },
    ],
  });
}

/** Installs the XRD and the Composition of the checkout and waits until stacks can be made. */
export async function installStack(cluster: Cluster): Promise<void> {
  const folder = projectFile('apis', 'celldstacks');
  const objects = loadManifests([
    join(folder, 'definition.yaml'),
    join(folder, 'composition.yaml'),
  ]);
  for (const { object } of objects) {
    await cluster.apply(object);
    if (object.kind !== 'CompositeResourceDefinition') continue;
    await untilEstablished(
      cluster,
      object.apiVersion,
      object.kind,
      String(object.metadata['name']),
    );
  }
}

const OUR_COMPOSITION = 'celldstacks.hops.ops.com.ai';

export interface FunctionProcess {
  readonly process: () => Running;
  readonly start: () => Promise<void>;
}

/** Starts the function of the checkout and tells core where it is. */
export async function startFunction(
  workplace: Workplace,
  authority: Authority,
  cluster: Cluster,
): Promise<FunctionProcess> {
  const port = await freePort();
  const certificates = await certificateFolder(workplace, authority, 'function-certificates');
  const begin = () =>
    startProcess({
      name: 'function',
      command: process.execPath,
      folder: workplace.folder,
      args: [
        projectFile('bin', 'celld-stack'),
        'serve',
        `--address=127.0.0.1:${port}`,
        `--tls-certs-dir=${certificates}`,
        '--debug',
      ],
    });
  let running = begin();
  await registerFunction(cluster, OUR_COMPOSITION, `127.0.0.1:${port}`);
  return {
    process: () => running,
    start: async () => {
      await running.kill();
      running = begin();
    },
  };
}

/**
 * Tells core where the function of a Composition is, by a revision that is made by hand and paused,
 * since nothing installs packages here; then waits until the Composition's pipeline is valid.
 */
export async function registerFunction(
  cluster: Cluster,
  composition: string,
  address: string,
): Promise<void> {
  const api = 'apiextensions.crossplane.io/v1';
  const found = await cluster.get({ apiVersion: api, kind: 'Composition', name: composition });
  const name = stringAt(found, 'spec', 'pipeline', 0, 'functionRef', 'name') ?? '';
  const revision = {
    apiVersion: 'pkg.crossplane.io/v1',
    kind: 'FunctionRevision',
    metadata: {
      name: `${name}-checkout`,
      labels: { 'pkg.crossplane.io/package': name },
      annotations: { 'crossplane.io/paused': 'true' },
    },
    spec: { desiredState: 'Active', image: `127.0.0.1/${name}:checkout`, revision: 1 },
  };
  await cluster.apply(revision);
  const at = {
    apiVersion: revision.apiVersion,
    kind: revision.kind,
    name: revision.metadata.name,
  };
  await cluster.merge(
    at,
    { status: { endpoint: `dns:///${address}`, capabilities: ['composition'] } },
    'status',
  );
  for (let tries = 0; tries < 300; tries++) {
    const all = await cluster.list(api, 'CompositionRevision');
    const revisions = all.filter(
      (one) => valueAt(one, 'metadata', 'labels', 'crossplane.io/composition-name') === composition,
    );
    const valid = revisions.some((one) =>
      listAt(one, 'status', 'conditions').some(
        (found) =>
          isObject(found) && found['type'] === 'ValidPipeline' && found['status'] === 'True',
      ),
    );
    if (valid) return;
    await sleep(100);
  }
  throw new Error('the Composition is not valid after 30 s: see the conditions of its revision');
}
