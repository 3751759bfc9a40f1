import type { Cases } from '../core/cases/port.ts';
import type { EngineName } from '../core/model/run.ts';
import type { Choice } from '../host/prompter.ts';
import { engineWords, wordsForRun } from '../shared/words.ts';

type EngineLine = Awaited<ReturnType<Cases['engines']>>[number];

/** Every engine with whether it can be used now, and why not; usable ones first, in the order of the auto rule. */
export function engineChoices(engines: readonly EngineLine[], current: EngineName | 'auto'): Choice<EngineName | 'auto'>[] {
  const offered = engines.filter((engine) => engine.name !== 'replay');
  const usable = offered.filter((engine) => engine.status.usable);
  const others = offered.filter((engine) => !engine.status.usable);
  const first = usable.find((engine) => !engine.leavesMachine || engine.consented) ?? usable[0];
  const mark = (name: EngineName | 'auto'): { icon: string } => ({ icon: name === current ? 'check' : 'blank' });
  return [
    { label: 'Automatic', ...mark('auto'), description: first === undefined ? '' : `now: ${engineWords[first.name]}`, detail: 'The first usable engine, in the order below', value: 'auto' },
    ...usable.map((engine, index) => ({ ...line(engine), ...mark(engine.name), ...(index === 0 ? { group: 'Usable now' } : {}) })),
    ...others.map((engine, index) => ({ ...line(engine), ...mark(engine.name), ...(index === 0 ? { group: 'Not usable now' } : {}) })),
  ];
}

function line({ name, status, leavesMachine, consented }: EngineLine): Choice<EngineName | 'auto'> {
  const label = engineWords[name];
  if (!status.usable) return { label, description: wordsForRun(status.reason), detail: status.message, value: name };
  const sends = leavesMachine ? `Sends to ${status.destination}${consented ? ', agreed' : ', asks first'}` : 'Nothing leaves this machine';
  return { label, description: [status.label === label ? undefined : status.label, status.version].filter((part) => part !== undefined).join(' '), detail: sends, value: name };
}
