/** The few classes of the editor's API that adapters make or test for; a test hands them out through `vi.mock('vscode')`. */
export class LanguageModelTextPart {
  constructor(readonly value: string) {}
}
export class LanguageModelToolCallPart {
  constructor(
    readonly callId: string,
    readonly name: string,
    readonly input: object,
  ) {}
}
export class LanguageModelToolResultPart {
  constructor(
    readonly callId: string,
    readonly content: unknown[],
  ) {}
}
export class LanguageModelChatMessage {
  private constructor(
    readonly role: 'user' | 'assistant',
    readonly content: unknown,
  ) {}
  static User(content: unknown): LanguageModelChatMessage {
    return new LanguageModelChatMessage('user', content);
  }
  static Assistant(content: unknown): LanguageModelChatMessage {
    return new LanguageModelChatMessage('assistant', content);
  }
}
export class LanguageModelError extends Error {
  constructor(
    message: string,
    readonly code: string,
  ) {
    super(message);
  }
  static NotFound(message = ''): LanguageModelError {
    return new LanguageModelError(message, 'NotFound');
  }
  static NoPermissions(message = ''): LanguageModelError {
    return new LanguageModelError(message, 'NoPermissions');
  }
  static Blocked(message = ''): LanguageModelError {
    return new LanguageModelError(message, 'Blocked');
  }
}
export class CancellationTokenSource {
  cancelled = false;
  readonly token = { source: this };
  cancel(): void {
    this.cancelled = true;
  }
  dispose(): void {}
}
export const lm = { selectChatModels: async (): Promise<unknown[]> => [] };
