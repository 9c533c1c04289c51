// Takes secrets out of what is about to be printed, wherever a server or an SDK may have put them.
import type { StoreSettings } from './settings.ts';

const SHAPES: readonly RegExp[] = [
  /\b(?:sig|signature|x-amz-signature|x-amz-security-token|access_token|assertion)=[^&\s"']+/giu,
  /\bbearer\s+[\w.~+/-]+=*/giu,
  /\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/gu,
  /-----BEGIN [A-Z ]+-----[\s\S]*?(?:-----END [A-Z ]+-----|$)/gu,
];

/** A function that replaces the secrets of these settings, and what looks like one, by `***`. */
export function scrubber(settings: StoreSettings): (text: string) => string {
  const known = secretsOf(settings);
  return (text) => {
    const plain = known.reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
    return SHAPES.reduce((rest, shape) => rest.replaceAll(shape, '***'), plain);
  };
}

function secretsOf({ credentials }: StoreSettings): readonly string[] {
  switch (credentials.from) {
    case 'keys':
      return [credentials.secretAccessKey, credentials.sessionToken ?? ''].filter(Boolean);
    case 'account key':
      return [credentials.key];
    case 'service account text':
      return [credentials.json];
    default:
      return [];
  }
}
