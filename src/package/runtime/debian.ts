// C libraries for either architecture from Debian packages, without a trace on the machine: apt works in
// a folder of its own with the machine's sources, for an architecture the machine need not know.
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { refuse } from '../../core/problem.ts';
import { readTar, type TarEntry } from '../oci/tar.ts';
import { type Architecture, DEBIAN_PINS } from './pins.ts';
import { askTool, runTool } from './tool.ts';

export interface DebianPackage {
  readonly name: string;
  readonly version: string;
  readonly sha256: string;
  /** Every file of the package, by its path without a slash in front. */
  readonly entries: readonly TarEntry[];
}

export interface DebianPackages {
  readonly packages: readonly DebianPackage[];
  /** Whether they are the pinned ones. */
  readonly pinned: boolean;
}

/** The packages that hold our libraries; undefined when the machine has no apt that can fetch them. */
export async function fetchDebian(architecture: Architecture): Promise<DebianPackages | undefined> {
  if ((await askTool('dpkg-deb', ['--version'])) === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'celld-stack-apt-'));
  try {
    const apt = aptIn(folder, architecture);
    const updated = await apt(['update']);
    if (updated?.code !== 0) return undefined;
    const pins = DEBIAN_PINS.map((pin) => `${pin.name}=${pin.version}`);
    if ((await apt(['download', ...pins]))?.code !== 0) {
      const names = DEBIAN_PINS.map((pin) => pin.name);
      if ((await apt(['download', ...names]))?.code !== 0) return undefined;
    }
    const packages = await packagesIn(folder);
    const notices = await noticePackage(packages, apt, folder);
    return { packages: [...packages, ...notices], pinned: arePinned(packages, architecture) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Apt = (args: readonly string[]) => ReturnType<typeof askTool>;

function aptIn(folder: string, architecture: Architecture): Apt {
  const state = join(folder, 'state');
  const cache = join(folder, 'cache');
  for (const one of [join(state, 'lists', 'partial'), join(cache, 'archives', 'partial')]) {
    mkdirSync(one, { recursive: true });
  }
  const settings = {
    'Dir::State': state,
    'Dir::State::lists': join(state, 'lists'),
    'Dir::State::status': '/dev/null',
    'Dir::Cache': cache,
    'APT::Architecture': architecture,
    'APT::Architectures': architecture,
    'APT::Sandbox::User': 'root',
    'Acquire::Languages': 'none',
    // A package index that cannot be fetched must be an error, not a warning.
    'APT::Update::Error-Mode': 'any',
  };
  const options = Object.entries(settings).flatMap(([key, value]) => ['-o', `${key}=${value}`]);
  return (args) => askTool('apt-get', [...options, '-q', ...args], { folder });
}

async function packagesIn(folder: string): Promise<DebianPackage[]> {
  const files = readdirSync(folder).filter((file) => file.endsWith('.deb'));
  return Promise.all(files.sort().map((file) => readPackage(join(folder, file))));
}

const READING = 'read a Debian package';

async function readPackage(file: string): Promise<DebianPackage> {
  const fields = await runTool('dpkg-deb', ['--field', file, 'Package', 'Version'], READING);
  const field = (name: string) =>
    new RegExp(`^${name}: (.*)$`, 'mu').exec(fields.toString())?.[1] ?? '';
  const archive = await runTool('dpkg-deb', ['--fsys-tarfile', file], READING);
  return {
    name: field('Package'),
    version: field('Version'),
    sha256: createHash('sha256').update(readFileSync(file)).digest('hex'),
    entries: readTar(archive),
  };
}

/** GCC's libraries keep their copyright notice in a package whose name carries its version. */
async function noticePackage(
  packages: readonly DebianPackage[],
  apt: Apt,
  folder: string,
): Promise<DebianPackage[]> {
  const links = packages.flatMap((one) =>
    one.entries.filter((entry) => entry.path.startsWith('usr/share/doc/')),
  );
  const target = links.find((entry) => entry.type === 'symlink')?.target;
  if (target === undefined) return [];
  if ((await apt(['download', target]))?.code !== 0) {
    return refuse(
      'BUILD_TOOL',
      `cannot fetch the copyright notice of libgcc: apt-get has no ${target}`,
    );
  }
  return (await packagesIn(folder)).filter((one) => one.name === target);
}

function arePinned(packages: readonly DebianPackage[], architecture: Architecture): boolean {
  return DEBIAN_PINS.every((pin) =>
    packages.some((one) => one.name === pin.name && one.sha256 === pin.sha256[architecture]),
  );
}
