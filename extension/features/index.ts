import type { Services } from '../services.ts';
import { casePanelFeature } from './case-panel/feature.ts';
import { caseCommandsFeature } from './cases/feature.ts';
import { casesTreeFeature } from './cases/tree.ts';
import { engineFeature } from './engine.ts';
import { investigateFeature } from './investigate/feature.ts';
import { journalFeature } from './journal.ts';
import { agentModeFeature } from './link/agent-mode.ts';
import { companionsFeature } from './link/companions.ts';
import { linkDoctorFeature } from './link/doctor.ts';
import { linkHostingFeature } from './link/hosting.ts';
import { linkSendFeature } from './link/send.ts';
import { linkSharingFeature } from './link/sharing.ts';
import { linkTerminalsFeature } from './link/terminals.ts';
import { linkViewFeature } from './link/view.ts';
import { linkWatchingFeature } from './link/watching.ts';
import { logFeature } from './log.ts';
import { marksFeature } from './marks.ts';
import { movedFeature } from './moved.ts';
import { recheckFeature } from './recheck.ts';
import { arrivalsFeature } from './review/arrivals.ts';
import { closingFeature } from './review/closing.ts';
import { reviewCommentsFeature } from './review/comments.ts';
import { decideFeature } from './review/decide.ts';
import { nativeReviewFeature } from './review/native.ts';
import { openReviewFeature } from './review/open.ts';
import { whoDecidedFeature } from './review/lines.ts';
import { reviewSourcesFeature } from './review/sources.ts';
import { reviewSummaryFeature } from './review/summary.ts';
import { reviewsTreeFeature } from './review/tree.ts';
import { undoFeature } from './review/undo.ts';
import { agentWordsFeature } from './review/words.ts';
import { reviewPanelFeature } from './review-panel/feature.ts';
import type { Feature } from './start.ts';
import { statusFeature } from './status.ts';
import { ticketsFeature } from './tickets/feature.ts';
import { uriFeature } from './uri.ts';

/** Every contribution, in the order in which it starts. */
export const features: readonly Feature<Services>[] = [
  logFeature,
  casesTreeFeature,
  ticketsFeature,
  caseCommandsFeature,
  investigateFeature,
  casePanelFeature,
  reviewPanelFeature,
  marksFeature,
  statusFeature,
  engineFeature,
  journalFeature,
  recheckFeature,
  reviewsTreeFeature,
  openReviewFeature,
  nativeReviewFeature,
  decideFeature,
  reviewCommentsFeature,
  closingFeature,
  arrivalsFeature,
  undoFeature,
  agentWordsFeature,
  reviewSourcesFeature,
  whoDecidedFeature,
  movedFeature,
  reviewSummaryFeature,
  linkViewFeature,
  linkSharingFeature,
  linkSendFeature,
  linkTerminalsFeature,
  linkWatchingFeature,
  companionsFeature,
  linkDoctorFeature,
  agentModeFeature,
  linkHostingFeature,
  uriFeature,
];
