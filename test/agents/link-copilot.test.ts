import { describe } from 'vitest';
import { copilot } from './link-agents.ts';
import { answersInItsTerminal, bringsSelection, leavesItsSet, leavesWhatWasEdited, needsIsolation, stopsWhenRejected, writesWhatIsAccepted } from './link-steps.ts';

needsIsolation();

describe('the real Copilot CLI at the link', () => {
  bringsSelection(copilot);
  writesWhatIsAccepted(copilot);
  leavesWhatWasEdited(copilot);
  stopsWhenRejected(copilot);
  answersInItsTerminal(copilot);
  leavesItsSet(copilot);
});
