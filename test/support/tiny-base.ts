// An OCI layout with an image for each architecture that holds nothing but a file called node: enough for
// everything about a build that does not run what it built.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { image, imageIndex, layer } from '../../src/package/oci/image.ts';
import { layoutFiles } from '../../src/package/oci/layout.ts';
import { fileEntry } from '../../src/package/oci/tar.ts';

/** Writes the layout into a folder. */
export async function writeTinyBase(
  folder: string,
  architectures: readonly string[] = ['amd64', 'arm64'],
): Promise<void> {
  const images = architectures.map(async (architecture) =>
    image({
      layers: [await layer([fileEntry('usr/local/bin/node', `node for ${architecture}`, 0o755)])],
      platform: { os: 'linux', architecture },
      container: { Env: ['PATH=/usr/local/bin:/usr/bin', 'A=b'], User: 'root' },
    }),
  );
  const content = imageIndex(await Promise.all(images));
  for (const [path, bytes] of layoutFiles([{ name: 'base', content }])) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  }
}
