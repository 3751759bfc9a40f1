/**
 * Own table of secrets, beside secretlint: it fills the holes measured there (Google, JWT, assigned passwords, Azure, Hugging Face)
 * and is synchronous. A rule masks its whole match, or only the named group `value`. Rules must be linear in the text's length:
 * bounded repeats, no nested ones.
 */
export interface SecretRule {
  name: string;
  pattern: RegExp;
  /** A second look at what would be masked; false leaves it alone. */
  accept?: (value: string) => boolean;
}

const placeholder = /^(?:[*x.•]+$|\$\{|\$\(|\{\{|<|%|\[masked|your[-_ ]|example|changeme$|placeholder|process\.env|os\.environ|null$|none$|undefined$|true$|false$|redacted)/i;
const codeExpression = /^(?:[A-Za-z_$][\w$]*)(?:\.[A-Za-z_$]|\(|\[|\?\.|<)|^(?:new|await|function|return|typeof)\b|=>/;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const looksAssigned = (value: string): boolean => !placeholder.test(value) && !codeExpression.test(value);
const looksRandom = (value: string): boolean => /\d/.test(value) && /[A-Z]/.test(value) && /[a-z]/.test(value);

export const secretRules: readonly SecretRule[] = [
  {
    name: 'private-key',
    pattern: /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:[^-]{1,20000}-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----|[A-Za-z0-9+/=\s\\]{16,20000})/g,
  },
  { name: 'aws-key-id', pattern: /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/g },
  { name: 'github-token', pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{36,255})\b/g },
  { name: 'gitlab-token', pattern: /\bgl(?:pat|ptt|dt|rt|cbt)-[\w-]{20,64}/g },
  { name: 'slack-token', pattern: /\bxox[abeoprs]-[A-Za-z0-9-]{10,250}/g },
  { name: 'slack-webhook', pattern: /\bhooks\.slack\.com\/(?:services|workflows)\/(?<value>[A-Za-z0-9/]{20,100})/g },
  { name: 'stripe-key', pattern: /\b(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,250}\b/g },
  { name: 'anthropic-key', pattern: /\bsk-ant-[A-Za-z0-9_-]{20,250}/g },
  { name: 'openai-key', pattern: /\bsk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,250}/g, accept: looksRandom },
  { name: 'google-key', pattern: /\b(?:AIza[0-9A-Za-z_-]{35}|GOCSPX-[0-9A-Za-z_-]{20,40}|ya29\.[0-9A-Za-z_-]{20,500})/g },
  { name: 'jwt', pattern: /\beyJ[A-Za-z0-9_-]{8,4000}\.eyJ[A-Za-z0-9_-]{8,8000}\.[A-Za-z0-9_-]{8,4000}/g },
  { name: 'npm-token', pattern: /\bnpm_[A-Za-z0-9]{36}\b/g },
  { name: 'pypi-token', pattern: /\bpypi-AgE[A-Za-z0-9_-]{40,500}/g },
  { name: 'huggingface-token', pattern: /\bhf_[A-Za-z0-9]{30,60}\b/g },
  { name: 'sendgrid-key', pattern: /\bSG\.[\w-]{16,64}\.[\w-]{16,128}/g },
  { name: 'linear-key', pattern: /\blin_(?:api|oauth)_[A-Za-z0-9]{32,64}\b/g },
  { name: 'digitalocean-token', pattern: /\bdo[opr]_v1_[a-f0-9]{64}\b/g },
  { name: 'telegram-token', pattern: /\b\d{8,10}:AA[A-Za-z0-9_-]{33}\b/g },
  { name: 'azure-key', pattern: /\b(?:AccountKey|SharedAccessKey)=(?<value>[A-Za-z0-9+/]{40,100}={0,2})/g },
  { name: 'azure-signature', pattern: /[?&]sig=(?<value>[A-Za-z0-9%+/]{40,120}={0,2})/g },
  { name: 'url-password', pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"'<>]{0,100}:(?<value>[^\s/@"'<>]{1,200})@/gi, accept: (value) => !placeholder.test(value) },
  { name: 'authorization', pattern: /\b(?:bearer|basic)\s{1,4}(?<value>[A-Za-z0-9._~+/-]{16,4000}={0,2})/gi, accept: (value) => /\d/.test(value) && !placeholder.test(value) },
  {
    name: 'environment-secret',
    pattern: /(?<![A-Za-z0-9_])(?:[A-Z][A-Z0-9_]{0,60}?)?(?:SECRET|TOKEN|PASSWORD|PASSWD|API_?KEY|PRIVATE_KEY|ACCESS_KEY|CREDENTIALS?)[A-Z0-9_]{0,40}=["']?(?<value>[^\s"']{6,2000})/g,
    accept: looksAssigned,
  },
  {
    name: 'assigned-secret',
    pattern:
      /\b(?:password|passwd|pwd|passphrase|(?:client|app|shared)[_-]?secret|secret[_-]?key|secret|api[_-]?key|access[_-]?key|private[_-]?key|_authToken)["']?\s{0,4}(?::=|=>|[:=])\s{0,4}["']?(?<value>[^\s"',;)}\]]{8,500})/gi,
    accept: (value) => looksAssigned(value) && /[A-Za-z]/.test(value) && /[\d!@#$%^&*]/.test(value),
  },
  {
    name: 'assigned-token',
    pattern: /\b(?:access|auth|refresh|id|bearer)?[_-]?token["']?\s{0,4}(?::=|=>|[:=])\s{0,4}["']?(?<value>[A-Za-z0-9._~+/=-]{16,4000})/gi,
    accept: (value) => looksAssigned(value) && /\d/.test(value) && /[A-Za-z]/.test(value) && !uuid.test(value),
  },
];

/** Property names whose string value is a secret whatever it looks like. */
export const secretNames = /^(?:password|passwd|pwd|passphrase|secret|client[_-]?secret|api[_-]?key|access[_-]?token|refresh[_-]?token|auth[_-]?token|private[_-]?key|authorization|cookie|set-cookie)$/i;

export const isPlaceholder = (value: string): boolean => placeholder.test(value);
