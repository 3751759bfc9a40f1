/** What a merge needs to know of an event. */
export interface Ordered {
  session: string;
  seq: number;
  ts: string;
}

/** From record `seq` on, the writer of `session` had seen `count` records of `other`. */
export interface SeenMark {
  session: string;
  seq: number;
  other: string;
  count: number;
}

interface Lane<T extends Ordered> {
  items: T[];
  next: number;
  marks: SeenMark[];
  nextMark: number;
  /** How far this lane's writer had seen the others, at the item that is next. */
  seen: Map<string, number>;
}

/**
 * Merges the sessions into one causal order: within a session by `seq`, across sessions an event comes after everything its writer had
 * seen; where neither says anything, by `ts`. Clock jumps therefore never reorder what is causally ordered. Contradictory marks
 * (an edited file) cannot stop the merge: the earliest by `ts` goes first then.
 */
export function mergeCausally<T extends Ordered>(items: readonly T[], marks: readonly SeenMark[]): T[] {
  const lanes = lanesOf(items, marks);
  const merged: T[] = [];
  const open = new Set(lanes.values());
  while (open.size > 0) {
    let best: Lane<T> | undefined;
    let earliest: Lane<T> | undefined;
    for (const lane of open) {
      if (earliest === undefined || before(lane, earliest)) earliest = lane;
      if ((best === undefined || before(lane, best)) && allowed(lane, lanes)) best = lane;
    }
    const lane = best ?? earliest;
    const item = lane?.items[lane.next];
    if (lane === undefined || item === undefined) break;
    merged.push(item);
    lane.next += 1;
    if (lane.next >= lane.items.length) open.delete(lane);
    else advanceMarks(lane);
  }
  return merged;
}

function lanesOf<T extends Ordered>(items: readonly T[], marks: readonly SeenMark[]): Map<string, Lane<T>> {
  const lanes = new Map<string, Lane<T>>();
  for (const item of items) {
    const lane = lanes.get(item.session);
    if (lane === undefined) lanes.set(item.session, { items: [item], next: 0, marks: [], nextMark: 0, seen: new Map() });
    else lane.items.push(item);
  }
  for (const mark of marks) lanes.get(mark.session)?.marks.push(mark);
  for (const lane of lanes.values()) {
    lane.items.sort((a, b) => a.seq - b.seq);
    lane.marks.sort((a, b) => a.seq - b.seq);
    advanceMarks(lane);
  }
  return lanes;
}

function advanceMarks<T extends Ordered>(lane: Lane<T>): void {
  const seq = lane.items[lane.next]?.seq ?? 0;
  for (let mark = lane.marks[lane.nextMark]; mark !== undefined && mark.seq <= seq; mark = lane.marks[lane.nextMark]) {
    lane.seen.set(mark.other, mark.count);
    lane.nextMark += 1;
  }
}

function allowed<T extends Ordered>(lane: Lane<T>, lanes: Map<string, Lane<T>>): boolean {
  for (const [other, count] of lane.seen) {
    const waitingFor = lanes.get(other);
    const first = waitingFor?.items[waitingFor.next];
    if (first !== undefined && first.seq <= count) return false;
  }
  return true;
}

function before<T extends Ordered>(a: Lane<T>, b: Lane<T>): boolean {
  const left = a.items[a.next];
  const right = b.items[b.next];
  if (left === undefined || right === undefined) return left !== undefined;
  return left.ts < right.ts || (left.ts === right.ts && left.session < right.session);
}
