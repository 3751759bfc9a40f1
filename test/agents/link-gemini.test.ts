import { describe } from 'vitest';
import { gemini } from './link-agents.ts';
import { answersInItsTerminal, bringsSelection, leavesItsSet, needsIsolation, outlivesTheLink, stopsWhenRejected, writesWhatIsAccepted, writesWhatWasEdited } from './link-steps.ts';

needsIsolation();

describe('the real Gemini CLI at the link', () => {
  bringsSelection(gemini);
  writesWhatIsAccepted(gemini);
  writesWhatWasEdited(gemini);
  stopsWhenRejected(gemini);
  answersInItsTerminal(gemini);
  leavesItsSet(gemini);
  outlivesTheLink(gemini);
});
