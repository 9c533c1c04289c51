// Messages of other programs on their way into a status, where everybody who may read the XR reads them.
import { oneLine } from './problem.ts';

/** Texts that are secret, or lead to one. */
const SECRETS: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/gu,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/gu,
  /(?<=\b(?:aws_secret_access_key|aws_session_token|secret[-_ ]?access[-_ ]?key|account[-_ ]?key|session[-_ ]?token|client[-_ ]?secret|password|passwd)["']?\s*[:=]\s*["']?)[^\s"',;&]+/giu,
  /(?<=\b(?:Bearer|Basic)\s+)[A-Za-z0-9+/=._~-]{8,}/gu,
  /(?<=[?&](?:X-Amz-Signature|X-Amz-Security-Token|X-Amz-Credential|X-Goog-Signature|sig|token|access_token)=)[^\s&"']+/giu,
  /(?<=:\/\/[^\s/:@]+:)[^\s/@]+(?=@)/gu,
];

/** Parts that differ at each try though nothing has changed: a status that shows them is written for ever. */
const VOLATILE: readonly RegExp[] = [
  /(?<=\b(?:Request ?ID|Host ?ID|Extended Request ID|Trace ?ID)\s*[:=]\s*)[A-Za-z0-9+/=_-]{8,}/giu,
  /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)/gu,
];

/**
 * The message on one line, with secrets replaced by `***` and with request IDs and times, which change
 * from one try to the next, replaced by `…`.
 */
export function publicMessage(message: string): string {
  const open = VOLATILE.reduce((text, pattern) => text.replace(pattern, '…'), oneLine(message));
  return SECRETS.reduce((text, pattern) => text.replace(pattern, '***'), open);
}
