import type { Disposable } from '../base/disposable.ts';
import { sha256 } from '../base/hash.ts';
import type { NewEvent } from '../journal/port.ts';
import type { Editor } from './editor.ts';

type SharedItem = NewEvent<'context.shared'>['body']['items'][number];

/** How long what was shared is gathered before it is recorded. Milliseconds. */
const gatherFor = 10_000;

/** What one client was shown of the editor, on its way to the record: by digest and never as text, each thing once, gathered so that moving a cursor fills no journal. */
export class SharedRecord implements Disposable {
  private readonly items = new Map<string, SharedItem>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly record: (items: SharedItem[]) => void) {}

  /** `file` is absolute; absent where it is about several. */
  add(what: SharedItem['what'], file: string | undefined, text: string): void {
    const digest = sha256(Buffer.from(text));
    const key = `${what}\n${file ?? ''}\n${digest}`;
    if (this.items.has(key)) return;
    this.items.set(key, { what, ...(file === undefined ? {} : { file }), digest, characters: text.length });
    this.timer ??= setTimeout(() => this.flush(), gatherFor).unref();
  }

  /** The same editor; what its answers give away is noted. */
  observing(editor: Editor): Editor {
    return {
      ...editor,
      selection: async () => {
        const found = await editor.selection();
        if (found !== undefined) this.add('selection', found.path, found.text);
        return found;
      },
      openEditors: async () => {
        const found = await editor.openEditors();
        if (found.length > 0) this.add('editors', undefined, found.map(({ path }) => path).join('\n'));
        return found;
      },
      diagnostics: async (path) => {
        const found = await editor.diagnostics(path);
        const some = found.filter((file) => file.diagnostics.length > 0);
        if (some.length > 0) this.add('diagnostics', some.length === 1 ? some[0]?.path : undefined, JSON.stringify(some));
        return found;
      },
    };
  }

  dispose(): void {
    this.flush();
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const items = [...this.items.values()];
    this.items.clear();
    if (items.length > 0) this.record(items);
  }
}
