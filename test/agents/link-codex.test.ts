import { describe } from 'vitest';
import { codex } from './link-agents.ts';
import { bringsSelection, needsIsolation } from './link-steps.ts';

needsIsolation();

/** It takes context, and proposes nothing through the link. */
describe('the real Codex at the link', () => bringsSelection(codex));
