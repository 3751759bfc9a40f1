import type { SecretRange, SecretScanner } from './masker.ts';

/**
 * secretlint's recommended preset as a scanner, loaded on first use: it is large and nothing at activation needs it.
 * Documentation samples that its rules allow stay allowed. If it cannot be loaded the promise rejects and nothing is written unmasked.
 */
export function secretlintScanner(): SecretScanner {
  let loading: Promise<(text: string) => Promise<SecretRange[]>> | undefined;
  return async (text) => {
    loading ??= load();
    const scan = await loading;
    return scan(text);
  };
}

async function load(): Promise<(text: string) => Promise<SecretRange[]>> {
  const [{ lintSource }, { creator }] = await Promise.all([import('@secretlint/core'), import('@secretlint/secretlint-rule-preset-recommend')]);
  const config = { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator, options: {} }] };
  return async (text) => {
    const result = await lintSource({
      source: { content: text, filePath: 'event.txt', ext: '.txt', contentType: 'text' },
      options: { config, noPhysicFilePath: true },
    });
    return result.messages.map((message) => ({ start: message.range[0], end: message.range[1], name: nameOf(message.ruleId) }));
  };
}

/** `@secretlint/secretlint-rule-slack` → `slack`. */
const nameOf = (ruleId: string): string => ruleId.replace(/^.*secretlint-rule-/, '');
