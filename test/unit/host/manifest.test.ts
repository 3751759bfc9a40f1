import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { commands } from '../../../extension/shared/ids.ts';

interface Menu {
  command: string;
  when?: string;
  group?: string;
}
interface Manifest {
  extensionKind: string[];
  activationEvents: string[];
  capabilities: { virtualWorkspaces: { supported: boolean } };
  contributes: {
    commands: { command: string; category: string; icon?: string; enablement?: string }[];
    keybindings: { command: string; key: string; mac: string; when: string }[];
    menus: Record<string, Menu[]>;
    views: Record<string, { id: string; icon: string }[]>;
    viewsContainers: { activitybar: { icon: string }[] };
    walkthroughs: { steps: { media: { markdown?: string; svg?: string; altText?: string }; completionEvents: string[] }[] }[];
  };
}
const root = new URL('../../../', import.meta.url);
const manifest = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as Manifest;
const { contributes } = manifest;

/** Commands that only read; every other one needs a trusted workspace. */
const reading = new Set<string>([commands.openCase, commands.openTicketInBrowser, commands.refreshCases, commands.filterCases, commands.toggleMarks, commands.explainFile, commands.showJournal, commands.exportCase, commands.verifyJournal, commands.openLog, commands.reviewOpen, commands.reviewOpenNative, commands.reviewNextHunk, commands.reviewPreviousHunk, commands.reviewCopyForAgent, commands.reviewShowSummary, commands.reviewFilter, commands.reviewSort, commands.reviewRefresh, commands.linkShowLog]);

describe('the manifest', () => {
  it('runs on the workspace side and wakes up only when it is used', () => {
    expect(manifest.extensionKind).toEqual(['workspace']);
    expect(manifest.capabilities.virtualWorkspaces.supported).toBe(false);
    expect(manifest.activationEvents).toEqual(['onWebviewPanel:casebook.casePanel', 'onWebviewPanel:casebook.reviewPanel', 'onUri', 'onStartupFinished', 'onFileSystem:casebook-review', 'onFileSystem:casebook-base']);
  });

  it.each(Object.values(commands))('%s is enabled in a restricted workspace only if it reads', (id) => {
    const command = contributes.commands.find((one) => one.command === id);
    expect(command?.category).toBe('%command.category%');
    expect(command?.enablement?.includes('isWorkspaceTrusted') ?? false).toBe(!reading.has(id));
  });

  it('hides from the palette what needs a tree item', () => {
    const hidden = contributes.menus['commandPalette']?.filter((entry) => entry.when === 'false').map((entry) => entry.command);
    expect(hidden?.sort()).toEqual([commands.explainFile, commands.investigateTicket, commands.loadMoreTickets, commands.openTicketInBrowser, commands.removeQuery, commands.reviewRemoveComment].sort());
  });

  it('binds keys only while a review has the focus, as chords that a single key of somebody else cannot meet', () => {
    const own = contributes.keybindings.filter(({ command }) => command.startsWith('casebook.'));
    expect(own.length).toBeGreaterThan(0);
    for (const { key, mac, when } of own) {
      expect(when).toBe('casebook.reviewActive && editorTextFocus');
      expect(key).toMatch(/^ctrl\+k alt\+[a-z]$/u);
      expect(mac).toMatch(/^cmd\+k alt\+[a-z]$/u);
    }
  });

  it('D12: saves without participants on the proposed side of a review alone, and only where the setting does not let them', () => {
    const others = contributes.keybindings.filter(({ command }) => !command.startsWith('casebook.'));
    expect(others).toEqual([{ command: 'workbench.action.files.saveWithoutFormatting', key: 'ctrl+s', mac: 'cmd+s', when: 'editorTextFocus && resourceScheme == casebook-review && !config.casebook.review.saveParticipants' }]);
  });

  it('shows at most three actions in a view’s title, each with an icon', () => {
    const titles = contributes.menus['view/title'] ?? [];
    for (const view of Object.values(contributes.views).flat()) {
      const inline = titles.filter((entry) => entry.when?.includes(view.id) && entry.group?.startsWith('navigation'));
      expect(inline.length, view.id).toBeLessThanOrEqual(3);
      for (const entry of inline) expect(contributes.commands.find((one) => one.command === entry.command)?.icon, entry.command).toBeDefined();
    }
  });

  it('names only pictures and pages that are there', () => {
    const files = [...contributes.viewsContainers.activitybar.map((one) => one.icon), ...Object.values(contributes.views).flatMap((list) => list.map((one) => one.icon)), ...contributes.walkthroughs.flatMap((one) => one.steps.map((step) => step.media.svg ?? step.media.markdown ?? 'nothing'))];
    const gutter = ['verified', 'located', 'moved', 'stale', 'missing'].flatMap((state) => ['light', 'dark'].map((theme) => `media/gutter/${state}-${theme}.svg`));
    for (const file of [...files, ...gutter, 'media/icons/casebook-light.svg', 'media/icons/casebook-dark.svg']) expect(existsSync(new URL(file, root)), file).toBe(true);
  });

  it('has one short walkthrough whose steps can be completed', () => {
    expect(contributes.walkthroughs).toHaveLength(1);
    const steps = contributes.walkthroughs[0]?.steps ?? [];
    expect(steps.length).toBeLessThanOrEqual(5);
    for (const step of steps) {
      expect(step.completionEvents.length).toBeGreaterThan(0);
      if (step.media.svg !== undefined) expect(step.media.altText).toMatch(/^%walkthrough\..+%$/);
    }
  });
});
