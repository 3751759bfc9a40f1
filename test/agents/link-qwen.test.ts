import { describe } from 'vitest';
import { qwen } from './link-agents.ts';
import { answersInItsTerminal, bringsSelection, leavesItsSet, needsIsolation, outlivesTheLink, stopsWhenRejected, writesWhatIsAccepted, writesWhatWasEdited } from './link-steps.ts';

needsIsolation();

describe('the real Qwen Code at the link', () => {
  bringsSelection(qwen);
  writesWhatIsAccepted(qwen);
  writesWhatWasEdited(qwen);
  stopsWhenRejected(qwen);
  answersInItsTerminal(qwen);
  leavesItsSet(qwen);
  outlivesTheLink(qwen);
});
