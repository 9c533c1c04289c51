// Where the things that are published beside this function are. The build replaces this file by one
// that is stamped with a registry, a version and digests; nothing here is read from the environment.

export interface Artifacts {
  /** Our Helm chart. With a digest, the Release of our own chart at this version pins it. */
  readonly chart: {
    readonly repository: string;
    readonly name: string;
    readonly version: string;
    readonly digest?: string;
  };
  /** The function's own image, which also carries the bootstrap program. */
  readonly image: {
    readonly repository: string;
    readonly tag: string;
    readonly digest?: string;
  };
}

export const ARTIFACTS: Artifacts = {
  chart: { repository: 'oci://ghcr.io/hops-ops/charts', name: 'celld', version: '0.3.1' },
  image: { repository: 'ghcr.io/hops-ops/function-celld-stack', tag: 'v0.1.0' },
};
