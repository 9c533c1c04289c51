// A control plane with everything that is played, and its end in every case: done, failed, interrupted, killed.
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type ControlPlane, startControlPlane } from './control-plane/control-plane.ts';
import { projectFile } from './control-plane/folders.ts';
import { clearAbandoned, openWorkplace } from './control-plane/workplace.ts';
import { startKubelet } from './played/kubelet.ts';
import { installOlderStack } from './played/older-stack.ts';
import { startPodIdentities } from './played/pod-identity.ts';
import { startProviderAws } from './played/provider-aws.ts';
import type { Played } from './scenarios/stage.ts';

export interface OpenPlane {
  readonly plane: ControlPlane;
  readonly played: Played;
  /** Resolves when a person or a supervisor wants the end. */
  readonly interrupted: Promise<NodeJS.Signals>;
  /** Ends everything. With a name the logs are kept, and the folder they are in is given. */
  readonly close: (keepLogsAs?: string) => Promise<string | undefined>;
}

/** Clears what killed runs left, then starts everything. After an error nothing is left either. */
export async function openPlane(say: (line: string) => void): Promise<OpenPlane> {
  for (const folder of await clearAbandoned()) say(`cleared what a killed run left in ${folder}`);
  const workplace = openWorkplace();
  const interrupted = new Promise<NodeJS.Signals>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, resolve);
  });
  const keepLogs = (name: string): string => {
    const kept = projectFile('_output', 'e2e', name);
    rmSync(kept, { recursive: true, force: true });
    cpSync(join(workplace.folder, 'logs'), kept, { recursive: true });
    return kept;
  };
  try {
    const plane = await startControlPlane(workplace, say);
    const log = (name: string) => join(workplace.folder, 'logs', `played-${name}.log`);
    const { as } = plane.kubernetes;
    const kubelet = startKubelet(as('kubelet'), log('kubelet'));
    const aws = startProviderAws(as('provider-aws'), log('provider-aws'));
    const podIdentity = startPodIdentities(as('pod-identity'), log('pod-identity'));
    const olderStack = await installOlderStack(
      plane.kubernetes.cluster,
      join(workplace.folder, 'function-certificates'),
    );
    return {
      plane,
      played: { kubelet, aws, podIdentity },
      interrupted,
      close: async (keepLogsAs) => {
        await Promise.all([kubelet, aws, podIdentity].map((loop) => loop.stop()));
        olderStack();
        await plane.stop();
        const kept = keepLogsAs === undefined ? undefined : keepLogs(keepLogsAs);
        workplace.remove();
        return kept;
      },
    };
  } catch (error) {
    say(`the logs are in ${keepLogs('start')}`);
    workplace.remove();
    throw error;
  }
}
