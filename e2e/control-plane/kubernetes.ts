// etcd, kube-apiserver and kube-controller-manager as plain processes on loopback.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { listAt, objectAt, stringAt } from '../../src/core/json.ts';
import type { KubeObject } from '../../src/core/kube-object.ts';
import { loadManifests } from '../../src/manifests/load.ts';
import { compositeCrd, isCompositeDefinition } from '../../src/schema/composite-schema.ts';
import { type Authority, newSigningKey } from './certificates.ts';
import { type Cluster, connect } from './cluster.ts';
import { Complaint } from './complaint.ts';
import { freePort } from './ports.ts';
import { type Running, startProcess } from './processes.ts';
import { buildTool } from './tools.ts';
import type { Workplace } from './workplace.ts';

/** Who talks to the API server, so that its audit log and managed fields tell them apart. */
const USERS = [
  'developer',
  'runner',
  'crossplane',
  'controller-manager',
  'provider-helm',
  'provider-kubernetes',
  'provider-aws',
  'pod-identity',
  'kubelet',
] as const;

export type User = (typeof USERS)[number];

export interface Kubernetes {
  readonly cluster: Cluster;
  readonly as: (user: User) => Cluster;
  /** The path of a kubeconfig. */
  readonly kubeconfig: (user: User) => string;
  readonly kubeconfigText: (user: User) => string;
  /** Garbage collection, namespaces, StatefulSets. Started late: kinds that come later wait 30 s for it. */
  readonly startControllers: () => Promise<void>;
  readonly restartApiServer: () => Promise<void>;
  readonly running: () => readonly Running[];
  readonly stop: () => Promise<void>;
}

/** Starts etcd and the API server and waits until it answers. */
export async function startKubernetes(
  workplace: Workplace,
  authority: Authority,
  say: (line: string) => void,
): Promise<Kubernetes> {
  const [etcdPort, etcdPeerPort, port] = [await freePort(), await freePort(), await freePort()];
  const token = (user: User) => `${user}-token`;
  const kubeconfigText = (user: User) =>
    kubeconfigOf(`https://127.0.0.1:${port}`, authority.certificate, user, token(user));
  const kubeconfig = (user: User) => workplace.write(`kubeconfig/${user}`, kubeconfigText(user));
  const args = await apiServerArguments(workplace, authority, port, etcdPort, token);

  const etcd = startProcess({
    name: 'etcd',
    command: buildTool('etcd', say),
    folder: workplace.folder,
    args: [
      `--data-dir=${join(workplace.folder, 'etcd')}`,
      `--listen-client-urls=http://127.0.0.1:${etcdPort}`,
      `--advertise-client-urls=http://127.0.0.1:${etcdPort}`,
      `--listen-peer-urls=http://127.0.0.1:${etcdPeerPort}`,
      `--initial-advertise-peer-urls=http://127.0.0.1:${etcdPeerPort}`,
      `--initial-cluster=default=http://127.0.0.1:${etcdPeerPort}`,
      '--unsafe-no-fsync',
      '--log-level=warn',
    ],
  });
  const startApiServer = () =>
    startProcess({
      name: 'kube-apiserver',
      command: buildTool('kube-apiserver', say),
      folder: workplace.folder,
      args,
    });
  let apiServer = startApiServer();
  const cluster = connect(kubeconfigText('runner'));
  const ready = () => untilHealthy(apiServer, () => cluster.raw('GET', '/readyz'));
  await ready();
  let controllers: Running | undefined;
  const running = () => [apiServer, etcd, ...(controllers === undefined ? [] : [controllers])];
  return {
    cluster,
    as: (user) => connect(kubeconfigText(user)),
    kubeconfig,
    kubeconfigText,
    running,
    startControllers: async () => {
      controllers = await startControllerManager(workplace, kubeconfig('controller-manager'), say);
    },
    restartApiServer: async () => {
      await apiServer.kill();
      apiServer = startApiServer();
      await ready();
    },
    stop: async () => {
      // A graceful end takes the API server 20 s; there is nothing in it to keep.
      for (const one of [controllers, apiServer, etcd]) await one?.kill();
    },
  };
}

async function apiServerArguments(
  workplace: Workplace,
  authority: Authority,
  port: number,
  etcdPort: number,
  token: (user: User) => string,
): Promise<readonly string[]> {
  const pair = await authority.issue('kube-apiserver', ['kubernetes.default.svc']);
  const tokens = USERS.map((user) => `${token(user)},${user},${user},"system:masters"\n`).join('');
  const signingKey = workplace.write('service-account.key', newSigningKey());
  return [
    `--etcd-servers=http://127.0.0.1:${etcdPort}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    '--endpoint-reconciler-type=none',
    `--secure-port=${port}`,
    `--tls-cert-file=${workplace.write('kube-apiserver.crt', pair.certificate)}`,
    `--tls-private-key-file=${workplace.write('kube-apiserver.key', pair.key)}`,
    `--token-auth-file=${workplace.write('tokens.csv', tokens)}`,
    '--authorization-mode=RBAC',
    '--service-cluster-ip-range=10.0.0.0/24',
    // There is no controller that makes service-account tokens for the pods that nothing runs.
    '--disable-admission-plugins=ServiceAccount',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${signingKey}`,
    `--service-account-signing-key-file=${signingKey}`,
  ];
}

async function startControllerManager(
  workplace: Workplace,
  kubeconfig: string,
  say: (line: string) => void,
): Promise<Running> {
  return startProcess({
    name: 'kube-controller-manager',
    command: buildTool('kube-controller-manager', say),
    folder: workplace.folder,
    args: [
      `--kubeconfig=${kubeconfig}`,
      '--leader-elect=false',
      '--bind-address=127.0.0.1',
      '--secure-port=0',
      `--controllers=${CONTROLLERS.join(',')}`,
    ],
  });
}

const CONTROLLERS = [
  'garbage-collector-controller',
  'namespace-controller',
  'statefulset-controller',
  'deployment-controller',
  'replicaset-controller',
  'job-controller',
  'disruption-controller',
  'endpointslice-controller',
  'serviceaccount-controller',
  'persistentvolumeclaim-protection-controller',
];

function kubeconfigOf(server: string, authority: string, user: string, token: string): string {
  const ca = Buffer.from(authority).toString('base64');
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'e2e', cluster: { server, 'certificate-authority-data': ca } }],
    users: [{ name: user, user: { token } }],
    contexts: [{ name: 'e2e', context: { cluster: 'e2e', user } }],
    'current-context': 'e2e',
  });
}

/** Waits until a check passes. Throws a Complaint with the end of the log when the process ends or a minute passes. */
export async function untilHealthy(process: Running, check: () => Promise<unknown>): Promise<void> {
  const deadline = Date.now() + 60_000;
  let last: unknown;
  while (Date.now() < deadline && process.ended() === undefined) {
    try {
      await check();
      return;
    } catch (error) {
      last = error;
      await sleep(100);
    }
  }
  const why =
    process.ended() === undefined ? `does not answer: ${last}` : `ended (${process.ended()})`;
  throw new Complaint(`${process.name} ${why}`, `see ${process.log}`);
}

/** Applies every manifest of the folders and waits until the CRDs among them are served. */
export async function applyFolders(cluster: Cluster, folders: readonly string[]): Promise<void> {
  const files = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.yaml'))
      .map((name) => join(folder, name)),
  );
  const objects = loadManifests(files).map(({ object }) => installable(object));
  await Promise.all(objects.map((object) => cluster.apply(object)));
  for (const object of objects.filter((one) => one.kind === 'CustomResourceDefinition')) {
    await untilEstablished(
      cluster,
      object.apiVersion,
      object.kind,
      String(object.metadata['name']),
    );
  }
}

/** A definition as the package manager would install it here. */
function installable(object: KubeObject): KubeObject {
  // The XRD of a package that is played: core must not reconcile its XRs.
  if (isCompositeDefinition(object)) return compositeCrd(object);
  // A provider's older kinds are converted by a webhook, whose address only a package install fills in.
  const { conversion: _, ...spec } = objectAt(object, 'spec');
  return { ...object, spec };
}

/** Waits until a CRD or XRD is Established. */
export async function untilEstablished(
  cluster: Cluster,
  apiVersion: string,
  kind: string,
  name: string,
): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    const found = await cluster.get({ apiVersion, kind, name });
    const established = listAt(found, 'status', 'conditions').some(
      (one) => stringAt(one, 'type') === 'Established' && stringAt(one, 'status') === 'True',
    );
    if (established) return;
    await sleep(100);
  }
  throw new Error(`${kind} ${name} is not established after 30 s`);
}
