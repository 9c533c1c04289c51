// The Go tools of the control plane: built once into a cache outside the checkout, keyed by what is built.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Complaint } from './complaint.ts';
import { cacheFolder, projectFile } from './folders.ts';

interface Tool {
  readonly module: string;
  readonly package: string;
  /** Variables that a release build sets, or that only a build can set. */
  readonly variables: readonly string[];
}

const VERSION = 'k8s.io/component-base/version';
/** Without a version of its own the API server reports one that charts with a `kubeVersion` refuse. */
const KUBERNETES = [
  `${VERSION}.gitVersion=v1.35.4`,
  `${VERSION}.gitMajor=1`,
  `${VERSION}.gitMinor=35`,
];
/** The providers' metrics address is no flag: each would take port 8080 on all interfaces. */
const METRICS = 'sigs.k8s.io/controller-runtime/pkg/metrics/server.DefaultBindAddress=127.0.0.1:0';

const TOOLS = {
  etcd: { module: 'etcd', package: 'go.etcd.io/etcd/server/v3', variables: [] },
  'kube-apiserver': {
    module: 'kubernetes',
    package: 'k8s.io/kubernetes/cmd/kube-apiserver',
    variables: KUBERNETES,
  },
  'kube-controller-manager': {
    module: 'kubernetes',
    package: 'k8s.io/kubernetes/cmd/kube-controller-manager',
    variables: KUBERNETES,
  },
  kubectl: {
    module: 'kubernetes',
    package: 'k8s.io/kubernetes/cmd/kubectl',
    variables: KUBERNETES,
  },
  crossplane: {
    module: 'crossplane',
    package: 'github.com/crossplane/crossplane/v2/cmd/crossplane',
    // Packages with a `crossplane.version` constraint are unhealthy under a core without a version.
    variables: ['github.com/crossplane/crossplane-runtime/v2/pkg/version.version=v2.3.4'],
  },
  'crossplane-cli': {
    module: 'crossplane-cli',
    package: 'github.com/crossplane/cli/v2/cmd/crossplane',
    variables: [],
  },
  'provider-helm': {
    module: 'provider-helm',
    package: 'github.com/crossplane-contrib/provider-helm/cmd/provider',
    // Charts are cached by name and version alone: in /tmp the copy of an earlier run would be installed.
    variables: [
      METRICS,
      'github.com/crossplane-contrib/provider-helm/pkg/clients/helm.chartCache=charts',
    ],
  },
  'provider-kubernetes': {
    module: 'provider-kubernetes',
    package: 'github.com/crossplane-contrib/provider-kubernetes/cmd/provider',
    variables: [METRICS],
  },
} as const satisfies { readonly [name: string]: Tool };

export type ToolName = keyof typeof TOOLS;

/** The tools that a control plane runs, in the order in which they start. */
export const PLANE_TOOLS: readonly ToolName[] = [
  'etcd',
  'kube-apiserver',
  'crossplane',
  'provider-helm',
  'provider-kubernetes',
  'kube-controller-manager',
];

/**
 * The path of a tool's binary, built first when the cache has none for this go.sum. `say` gets a
 * line before each build. Throws a Complaint when Go is missing or the build fails.
 */
export function buildTool(name: ToolName, say: (line: string) => void): string {
  const tool: Tool = TOOLS[name];
  const folder = projectFile('e2e', 'tools', tool.module);
  const flags = ['-trimpath', '-ldflags', ldflags(tool)];
  const key = createHash('sha256');
  for (const file of ['go.mod', 'go.sum']) key.update(readFileSync(join(folder, file)));
  key.update([process.platform, process.arch, tool.package, ...flags].join('\n'));
  const cache = join(cacheFolder(), `${name}-${key.digest('hex').slice(0, 16)}`);
  const binary = join(cache, name);
  if (existsSync(binary)) return binary;
  requireGo();
  mkdirSync(cache, { recursive: true });
  say(`building ${name} (once; minutes, not seconds)`);
  const unfinished = `${binary}.${process.pid}`;
  const built = spawnSync('go', ['build', ...flags, '-o', unfinished, tool.package], {
    cwd: folder,
    stdio: ['ignore', 2, 2],
  });
  if (built.status !== 0) {
    throw new Complaint(
      `cannot build ${name}: go build ended with ${built.status}`,
      'see what go build printed above; the modules come from the Go module proxy',
    );
  }
  renameSync(unfinished, binary);
  return binary;
}

/** Where each module keeps the CRDs of the kinds its tool serves. */
const CRDS = {
  crossplane: { package: 'github.com/crossplane/crossplane/v2', folder: 'cluster/crds' },
  'provider-helm': {
    package: 'github.com/crossplane-contrib/provider-helm',
    folder: 'package/crds',
  },
  'provider-kubernetes': {
    package: 'github.com/crossplane-contrib/provider-kubernetes',
    folder: 'package/crds',
  },
} as const;

/** The folders of the CRDs that belong to the built core and providers, of the very same versions. */
export function crdFolders(): readonly string[] {
  return (Object.keys(CRDS) as (keyof typeof CRDS)[]).map((module) => {
    const folder = projectFile('e2e', 'tools', module);
    const key = createHash('sha256')
      .update(readFileSync(join(folder, 'go.sum')))
      .digest('hex');
    const cache = join(cacheFolder(), `${module}-crds-${key.slice(0, 16)}`);
    if (existsSync(cache)) return cache;
    requireGo();
    const source = join(moduleFolder(folder, CRDS[module].package), CRDS[module].folder);
    const unfinished = `${cache}.${process.pid}`;
    mkdirSync(unfinished, { recursive: true });
    // The module cache is read-only, and so would a copy of its folder be.
    for (const file of readdirSync(source)) {
      writeFileSync(join(unfinished, file), readFileSync(join(source, file)));
    }
    renameSync(unfinished, cache);
    return cache;
  });
}

function moduleFolder(folder: string, name: string): string {
  const download = spawnSync('go', ['mod', 'download', name], { cwd: folder, encoding: 'utf8' });
  const found = spawnSync('go', ['list', '-m', '-f', '{{.Dir}}', name], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (download.status !== 0 || found.status !== 0) {
    throw new Complaint(`cannot find the module ${name}: ${download.stderr}${found.stderr}`);
  }
  return found.stdout.trim();
}

function ldflags(tool: Tool): string {
  return ['-s', '-w', ...tool.variables.map((one) => `-X ${one}`)].join(' ');
}

/** Throws a Complaint when there is no Go that can build the tools. */
function requireGo(): void {
  const found = spawnSync('go', ['version'], { encoding: 'utf8' });
  if (found.status === 0) return;
  throw new Complaint(
    'the real control plane is built with Go, which is not on the PATH',
    'install Go 1.25 or newer from https://go.dev/dl and run the same command again',
  );
}
