/** Extensions of the agents' makers that serve their own agent in the editor, by family of agents. Two servers for one folder make most agents connect to neither. */
export const companionsOf: Readonly<Record<string, readonly string[]>> = {
  claude: ['anthropic.claude-code'],
  gemini: ['google.gemini-cli-vscode-ide-companion'],
  qwen: ['qwenlm.qwen-code-vscode-ide-companion'],
  copilot: ['github.copilot-chat', 'github.copilot'],
  codex: ['openai.chatgpt'],
};

/** What people call a family of agents. */
export const familyNames: Readonly<Record<string, string>> = { claude: 'Claude Code', gemini: 'Gemini CLI', qwen: 'Qwen Code', copilot: 'Copilot CLI', codex: 'Codex' };

/** An extension as the editor knows it. */
export interface InstalledExtension {
  id: string;
  packageJSON: unknown;
}

export interface Companion {
  family: string;
  /** Its own name for itself. */
  name: string;
  id: string;
  /** It came with the editor and was not chosen by anybody. */
  builtIn: boolean;
}

/** Which agents another extension serves in this editor, and who is to serve them. */
export class Companions {
  constructor(
    private readonly installed: (id: string) => InstalledExtension | undefined,
    /** What people have decided. */
    private readonly decided: () => Readonly<Record<string, 'casebook' | 'other'>>,
  ) {}

  /** The agent's own extension, if it is installed and enabled. */
  companion(family: string): Companion | undefined {
    for (const id of companionsOf[family] ?? []) {
      const found = this.installed(id);
      if (found !== undefined) return { family, id: found.id, name: displayName(found), builtIn: isBuiltIn(found) };
    }
    return undefined;
  }

  /** All that are installed. */
  all(): Companion[] {
    return Object.keys(companionsOf).flatMap((family) => this.companion(family) ?? []);
  }

  /** Whether Casebook is to be found by a family: always where nobody else is, and else only where somebody chose so. */
  serves(family: string): boolean {
    return this.decided()[family] === 'casebook' || this.companion(family) === undefined;
  }

  /** Companions that somebody installed, and about which nobody has decided. One that came with the editor is named in the Link view, and asked about by nobody. */
  undecided(): Companion[] {
    const decided = this.decided();
    return this.all().filter(({ family, builtIn }) => !builtIn && decided[family] === undefined);
  }
}

function displayName({ id, packageJSON }: InstalledExtension): string {
  const name = typeof packageJSON === 'object' && packageJSON !== null && 'displayName' in packageJSON ? packageJSON.displayName : undefined;
  return typeof name === 'string' && name !== '' ? name : id;
}

function isBuiltIn({ packageJSON }: InstalledExtension): boolean {
  return typeof packageJSON === 'object' && packageJSON !== null && 'isBuiltin' in packageJSON && packageJSON.isBuiltin === true;
}
