// Takes secrets out of what is about to be printed, wherever a server or an SDK may have put them.
import { publicMessage } from '../core/redact.ts';
import type { StoreSettings } from './settings.ts';

/** A token that says by its own shape what it is. */
const TOKEN = /\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/gu;

/** A function that replaces the secrets of these settings, and what looks like one, by `***`. */
export function scrubber(settings: StoreSettings): (text: string) => string {
  const known = secretsOf(settings);
  return (text) => {
    const plain = known.reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
    return publicMessage(plain.replace(TOKEN, '***'));
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
