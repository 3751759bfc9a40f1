import { describe } from 'vitest';
import { opencode } from './link-agents.ts';
import { bringsSelection, needsIsolation } from './link-steps.ts';

needsIsolation();

/** It takes context, and proposes nothing through the link. */
describe('the real opencode at the link', () => bringsSelection(opencode));
