// `make control-plane`: everything runs until Ctrl-C, and a person tries stacks with kubectl.
import { prepareNamespace } from './control-plane/provider-configs.ts';
import { buildTool } from './control-plane/tools.ts';
import { openPlane } from './open-plane.ts';

/** The cluster names that README and examples use. */
const CLUSTER_NAMES = ['my-cluster', 'production-cluster'];

/** Starts the plane, says what to type, waits for the end. Gives the exit code. */
export async function keepRunning(say: (line: string) => void): Promise<number> {
  const started = Date.now();
  const kubectl = buildTool('kubectl', say);
  const open = await openPlane(say);
  const { kubernetes } = open.plane;
  for (const name of CLUSTER_NAMES) await prepareNamespace(kubernetes, 'default', name);
  say(`running after ${((Date.now() - started) / 1000).toFixed(1)} s; Ctrl-C ends it and leaves nothing

  export KUBECONFIG=${kubernetes.kubeconfig('developer')}
  alias kubectl=${kubectl}
  kubectl apply -f examples/celldstacks/minimal.yaml
  kubectl get celldstacks -A --watch

logs: ${open.plane.workplace.folder}/logs
real: etcd, API server, controllers, Crossplane, provider-helm, provider-kubernetes, the function
played: AWS, PodIdentity, pods (see e2e/played/README.md)`);
  await open.interrupted;
  say('ending');
  await open.close();
  return 0;
}
