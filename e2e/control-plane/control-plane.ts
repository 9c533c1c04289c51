// The whole control plane: what is real here, and in which order it starts.
import { join } from 'node:path';
import { newAuthority } from './certificates.ts';
import { type ChartServer, serveCharts } from './charts.ts';
import {
  type Core,
  type FunctionProcess,
  installStack,
  startCore,
  startFunction,
} from './crossplane.ts';
import { projectFile } from './folders.ts';
import { applyFolders, type Kubernetes, startKubernetes } from './kubernetes.ts';
import { type Provider, startProvider } from './providers.ts';
import { buildTool, crdFolders, TOOL_NAMES } from './tools.ts';
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

/** Starts everything and waits until a CelldStack can be applied. What it started ends with `stop`, also after an error. */
export async function startControlPlane(
  workplace: Workplace,
  say: (line: string) => void,
): Promise<ControlPlane> {
  for (const name of TOOL_NAMES) buildTool(name, say);
  const ends: (() => Promise<void> | void)[] = [];
  const stop = async () => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  try {
    const authority = await newAuthority();
    const kubernetes = await startKubernetes(workplace, authority, say);
    ends.push(kubernetes.stop);
    const { cluster } = kubernetes;
    await applyFolders(cluster, [...crdFolders(), projectFile('e2e', 'crds')]);
    const core = await startCore(workplace, authority, kubernetes, say);
    ends.push(() => core.process().stop());
    await installStack(cluster);
    const functionProcess = await startFunction(workplace, authority, cluster);
    ends.push(() => functionProcess.process().stop());
    const charts = await serveCharts(workplace, authority);
    ends.push(charts.stop);
    const trust = workplace.write('authority.crt', authority.certificate);
    const proxy = { HTTPS_PROXY: charts.proxy, SSL_CERT_FILE: trust };
    const helm = await startProvider('provider-helm', workplace, kubernetes, proxy, say);
    ends.push(() => helm.process().stop());
    const objects = await startProvider('provider-kubernetes', workplace, kubernetes, {}, say);
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
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The folder of the run's logs. */
export function logFolder(workplace: Workplace): string {
  return join(workplace.folder, 'logs');
}
