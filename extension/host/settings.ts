import type { EngineName } from '../core/model/run.ts';
import { type SettingId, settings } from '../shared/ids.ts';

/** What each setting holds once validated. */
export interface SettingValues {
  'casebook.engine': EngineName | 'auto';
  'casebook.model': string;
  'casebook.claude.path': string;
  'casebook.openaiCompatible.baseUrl': string;
  'casebook.openaiCompatible.model': string;
  'casebook.limits.minutes': number;
  'casebook.limits.turns': number;
  'casebook.limits.tokens': number;
  'casebook.limits.usd': number;
  'casebook.ambientContext': boolean;
  'casebook.github.baseUrl': string;
  'casebook.github.queries': SavedQuery[];
  'casebook.files.folders': string[];
  'casebook.journal.location': 'home' | 'workspace';
  'casebook.citationMarks': boolean;
  'casebook.review.openIn': 'panel' | 'diffEditor' | 'none';
  'casebook.review.finish': 'whenDecided' | 'ask';
  'casebook.review.closeTab': 'keepPending' | 'reject';
  'casebook.review.policies': PolicySetting[];
  'casebook.review.trailers': boolean;
  'casebook.review.saveParticipants': boolean;
  'casebook.review.difftool': string;
  'casebook.link.enabled': boolean;
  'casebook.link.shareContext': 'on' | 'paused';
  'casebook.link.denyGlobs': string[];
  'casebook.link.maskSecrets': boolean;
  'casebook.link.servedBy': Record<string, 'casebook' | 'other'>;
}

export interface SavedQuery {
  label: string;
  query: string;
}

/** A rule by which sets are accepted without a person; see core/review. */
export interface PolicySetting {
  name: string;
  globs: string[];
  maxLines?: number;
  origins?: string[];
}

/** Where raw values come from: one lookup per read, so that a change is seen at once and nothing is stale. */
export type RawSettings = (id: SettingId, scope: string | undefined) => unknown;

interface Rule<T> {
  fallback: T;
  /** The usable value, or undefined when it is none. */
  check(value: unknown): T | undefined;
}

const text = (fallback = ''): Rule<string> => ({ fallback, check: (value) => (typeof value === 'string' ? value.trim() : undefined) });
const flag = (fallback: boolean): Rule<boolean> => ({ fallback, check: (value) => (typeof value === 'boolean' ? value : undefined) });
const positive = (fallback: number, whole = false): Rule<number> => ({
  fallback,
  check: (value) => (typeof value === 'number' && Number.isFinite(value) && value > 0 && (!whole || Number.isInteger(value)) ? value : undefined),
});
const oneOf = <T extends string>(fallback: T, values: readonly T[]): Rule<T> => ({ fallback, check: (value) => values.find((candidate) => candidate === value) });

/** An http(s) address without user, query or fragment; anything else would send code or keys to a place nobody typed. */
const address: Rule<string> = {
  fallback: '',
  check: (value) => {
    if (typeof value !== 'string') return undefined;
    const trimmed = value.trim();
    if (trimmed === '') return '';
    const url = URL.canParse(trimmed) ? new URL(trimmed) : undefined;
    if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined;
    return url.username === '' && url.password === '' && url.search === '' && url.hash === '' ? trimmed.replace(/\/+$/, '') : undefined;
  },
};

const folders: Rule<string[]> = {
  fallback: ['tickets'],
  check: (value) => (Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string' && item.trim() !== '') : undefined),
};

const queries: Rule<SavedQuery[]> = {
  fallback: [],
  check: (value) => (Array.isArray(value) ? value.filter(isSavedQuery).map(({ label, query }) => ({ label, query })) : undefined),
};

function isSavedQuery(value: unknown): value is SavedQuery {
  return typeof value === 'object' && value !== null && 'label' in value && 'query' in value && typeof value.label === 'string' && typeof value.query === 'string' && value.query.trim() !== '';
}

/** Half a rule is no rule: what cannot be read as one is left out and accepts nothing. */
const policies: Rule<PolicySetting[]> = {
  fallback: [],
  check: (value) => (Array.isArray(value) ? value.flatMap((item: unknown) => policyOf(item) ?? []) : undefined),
};

function policyOf(value: unknown): PolicySetting | undefined {
  if (typeof value !== 'object' || value === null || !('name' in value) || !('globs' in value)) return undefined;
  const { name, globs } = value;
  const maxLines = 'maxLines' in value ? value.maxLines : undefined;
  const origins = 'origins' in value ? value.origins : undefined;
  if (typeof name !== 'string' || name.trim() === '' || !isTexts(globs) || globs.length === 0) return undefined;
  if (maxLines !== undefined && (typeof maxLines !== 'number' || !Number.isInteger(maxLines) || maxLines < 1)) return undefined;
  if (origins !== undefined && !isTexts(origins)) return undefined;
  return { name: name.trim(), globs, ...(maxLines === undefined ? {} : { maxLines }), ...(origins === undefined ? {} : { origins }) };
}

const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every((item) => typeof item === 'string' && item !== '');

/** What is no pattern is left out: half a list would hide less than it says, and none at all less still. */
const globs: Rule<string[]> = { fallback: [], check: (value) => (Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string' && item.trim() !== '') : undefined) };

const servedBy: Rule<Record<string, 'casebook' | 'other'>> = {
  fallback: {},
  check: (value) => (typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value).filter((entry): entry is [string, 'casebook' | 'other'] => entry[1] === 'casebook' || entry[1] === 'other')) : undefined),
};

const rules: { [K in SettingId]: Rule<SettingValues[K]> } = {
  [settings.engine]: oneOf<EngineName | 'auto'>('auto', ['auto', 'scout', 'vscode-lm', 'claude', 'openai-compatible']),
  [settings.model]: text(),
  [settings.claudePath]: text(),
  [settings.openaiBaseUrl]: address,
  [settings.openaiModel]: text(),
  [settings.limitMinutes]: positive(15),
  [settings.limitTurns]: positive(60, true),
  [settings.limitTokens]: positive(1_500_000, true),
  [settings.limitUsd]: positive(3),
  [settings.ambientContext]: flag(false),
  [settings.githubBaseUrl]: address,
  [settings.githubQueries]: queries,
  [settings.ticketFolders]: folders,
  [settings.journalLocation]: oneOf('home', ['home', 'workspace']),
  [settings.citationMarks]: flag(true),
  [settings.reviewOpenIn]: oneOf('panel', ['panel', 'diffEditor', 'none']),
  [settings.reviewFinish]: oneOf('whenDecided', ['whenDecided', 'ask']),
  [settings.reviewCloseTab]: oneOf('keepPending', ['keepPending', 'reject']),
  [settings.reviewPolicies]: policies,
  [settings.reviewSaveParticipants]: flag(false),
  [settings.reviewTrailers]: flag(false),
  [settings.reviewDifftool]: text(),
  [settings.linkEnabled]: flag(true),
  [settings.linkShareContext]: oneOf('on', ['on', 'paused']),
  [settings.linkDenyGlobs]: globs,
  [settings.linkMaskSecrets]: flag(true),
  [settings.linkServedBy]: servedBy,
};

/** Typed settings, read at the moment of use and never kept. An unusable value is reported once and the default used. */
export class SettingsReader {
  private readonly complained = new Set<SettingId>();

  constructor(
    private readonly raw: RawSettings,
    private readonly complain: (id: SettingId) => void = () => {},
    /** Every value that a person or a workspace gave: the user's, the workspace's, each folder's. */
    private readonly given: (id: SettingId) => readonly unknown[] = () => [],
  ) {}

  /** Whether a person gave the setting a value, were it the default's. */
  isSet(id: SettingId): boolean {
    return this.given(id).length > 0;
  }

  /** The usable values of every level, for settings where a nearer level adds to the others and does not replace them. */
  everywhere<K extends SettingId>(id: K): SettingValues[K][] {
    const rule = rules[id];
    return this.given(id).map((value) => rule.check(value)).filter((value) => value !== undefined);
  }

  /** `scope` is a folder's path, for settings that may differ between the folders of a workspace. */
  get<K extends SettingId>(id: K, scope?: string): SettingValues[K] {
    const rule = rules[id];
    const value = this.raw(id, scope);
    const checked = value === undefined ? rule.fallback : rule.check(value);
    if (checked !== undefined) return checked;
    if (!this.complained.has(id)) {
      this.complained.add(id);
      this.complain(id);
    }
    return rule.fallback;
  }

  /** The default that is used when nothing usable is set; package.json must say the same. */
  static fallback<K extends SettingId>(id: K): SettingValues[K] {
    return rules[id].fallback;
  }
}
