// The bill of materials: everything in the image that somebody else made, in CycloneDX form.
import type { Component } from './runtime/base.ts';

export interface SbomSubject {
  readonly name: string;
  readonly version: string;
  readonly purl: string;
}

/** A CycloneDX 1.5 document without a time or a serial number, components sorted by their package URL. */
export function sbom(subject: SbomSubject, components: readonly Component[]): object {
  const unique = new Map(components.map((one) => [one.purl, one]));
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': subject.purl,
        name: subject.name,
        version: subject.version,
        purl: subject.purl,
        licenses: [{ license: { id: 'Apache-2.0' } }],
      },
    },
    components: [...unique.values()]
      .sort((a, b) => (a.purl < b.purl ? -1 : 1))
      .map(({ name, version, purl, license, sha256 }) => ({
        type: 'library',
        'bom-ref': purl,
        name,
        version,
        purl,
        ...(license === undefined ? {} : { licenses: [licenseOf(license)] }),
        ...(sha256 === undefined ? {} : { hashes: [{ alg: 'SHA-256', content: sha256 }] }),
      })),
  };
}

/** One identifier is an id; several joined by words or grouped are an expression. */
function licenseOf(text: string): object {
  return /[\s()]/u.test(text) ? { expression: text } : { license: { id: text } };
}
