// provider-helm and provider-kubernetes: the real ones, each with a folder of its own.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Kubernetes } from './kubernetes.ts';
import { freePort } from './ports.ts';
import { type Running, startProcess } from './processes.ts';
import { buildTool } from './tools.ts';
import type { Workplace } from './workplace.ts';

export type ProviderName = 'provider-helm' | 'provider-kubernetes';

export interface Provider {
  readonly process: () => Running;
  readonly start: () => void;
}

/** Starts a provider. `env` is added to its environment. */
export async function startProvider(
  name: ProviderName,
  workplace: Workplace,
  kubernetes: Kubernetes,
  env: { readonly [name: string]: string },
  say: (line: string) => void,
): Promise<Provider> {
  const cwd = join(workplace.folder, name);
  mkdirSync(cwd);
  const health = await freePort();
  const begin = () =>
    startProcess({
      name,
      command: buildTool(name, say),
      folder: workplace.folder,
      cwd,
      args: name === 'provider-kubernetes' ? [`--health-probe-bind-addr=127.0.0.1:${health}`] : [],
      env: { KUBECONFIG: kubernetes.kubeconfig(name), HOME: cwd, TMPDIR: cwd, ...env },
    });
  let running = begin();
  return {
    process: () => running,
    start: () => {
      running = begin();
    },
  };
}
