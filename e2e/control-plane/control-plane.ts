// The whole control plane: what is real here, and in which order it starts.
import { type Authority, newAuthority } from './certificates.ts';
import { type ChartServer, serveCharts } from './charts.ts';
import { Complaint } from './complaint.ts';
import {
  type Core,
  certificateFolder,
  type FunctionProcess,
  installStack,
  startCore,
  startFunction,
} from './crossplane.ts';
import { projectFile } from './folders.ts';
import { applyFolders, type Kubernetes, startKubernetes } from './kubernetes.ts';
import { isFree } from './ports.ts';
import { type Provider, startProvider } from './providers.ts';
import { buildTool, crdFolders, PLANE_TOOLS } from './tools.ts';
import type { Workplace } from './workplace.ts';

export interface ControlPlane {
  readonly workplace: Workplace;
  readonly kubernetes: Kubernetes;
  readonly core: Core;
  readonly function: FunctionProcess;
  readonly helm: Provider;
  readonly providerKubernetes: Provider;
  readonly charts: ChartServer;
  readonly stop: () => Promise<void>;
}

/** The part that knows the stack's kind: Kubernetes and Crossplane, without the function and the providers. */
export interface Api {
  readonly authority: Authority;
  readonly kubernetes: Kubernetes;
  readonly core: Core;
  readonly stop: () => Promise<void>;
}

const WEBHOOK_PORT = 9443;

type Ends = (() => Promise<void> | void)[];

/** Starts Kubernetes and Crossplane and installs the XRD. What was started ends with `stop`, also after an error. */
export async function startApi(workplace: Workplace, say: (line: string) => void): Promise<Api> {
  const ends: Ends = [];
  return orEnd(ends, async (stop) => {
    const authority = await newAuthority();
    const kubernetes = await startKubernetes(workplace, authority, say);
    ends.push(kubernetes.stop);
    const { cluster } = kubernetes;
    await applyFolders(cluster, [...crdFolders(), projectFile('e2e', 'crds')]);
    const core = await startCore(workplace, authority, kubernetes, say);
    ends.push(() => core.process().stop());
    await installStack(cluster);
    return { authority, kubernetes, core, stop };
  });
}

/** Starts everything and waits until a CelldStack can be applied. What was started ends with `stop`, also after an error. */
export async function startControlPlane(
  workplace: Workplace,
  say: (line: string) => void,
): Promise<ControlPlane> {
  if (!(await isFree(WEBHOOK_PORT))) {
    throw new Complaint(
      `port ${WEBHOOK_PORT} is taken, where provider-kubernetes always serves its webhook`,
      'end the other control plane that runs on this machine',
    );
  }
  for (const name of PLANE_TOOLS) buildTool(name, say);
  const ends: Ends = [];
  return orEnd(ends, async (stop) => {
    const { authority, kubernetes, core, stop: stopApi } = await startApi(workplace, say);
    ends.push(stopApi);
    const functionProcess = await startFunction(workplace, authority, kubernetes.cluster);
    ends.push(() => functionProcess.process().stop());
    const charts = await serveCharts(workplace, authority);
    ends.push(charts.stop);
    const trust = workplace.write('authority.crt', authority.certificate);
    const proxy = { HTTPS_PROXY: charts.proxy, SSL_CERT_FILE: trust };
    const helm = await startProvider('provider-helm', workplace, kubernetes, proxy, say);
    ends.push(() => helm.process().stop());
    // It converts its older kinds by a webhook, always on port 9443, and does not start without one.
    const certificates = await certificateFolder(workplace, authority, 'webhook-certificates');
    const webhook = { TLS_SERVER_CERTS_DIR: certificates };
    const objects = await startProvider('provider-kubernetes', workplace, kubernetes, webhook, say);
    ends.push(() => objects.process().stop());
    await kubernetes.startControllers();
    return {
      workplace,
      kubernetes,
      core,
      function: functionProcess,
      helm,
      providerKubernetes: objects,
      charts,
      stop,
    };
  });
}

/** Runs a start; after an error everything that was started until then is ended. */
async function orEnd<T>(ends: Ends, start: (stop: () => Promise<void>) => Promise<T>): Promise<T> {
  const stop = async () => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  try {
    return await start(stop);
  } catch (error) {
    await stop();
    throw error;
  }
}
