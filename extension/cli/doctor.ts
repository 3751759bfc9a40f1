import { parseArgs } from 'node:util';
import { type CliCommand, exitCode } from './command.ts';
import { coreOptions, openCore } from './open.ts';

/** `casebook doctor`: what is usable here, what is not and why. Starts nothing, sends nothing. */
export const doctorCommand: CliCommand = {
  name: 'doctor',
  summary: 'Say what is usable here and why not',
  usage: 'casebook doctor [--repo FOLDER]… [--home FOLDER] [--json]',
  async run(args, context) {
    const { values } = parseArgs({ args, options: coreOptions });
    const core = await openCore(context, { repo: values.repo, home: values.home });
    try {
      const engines = await core.cases.engines(context.signal);
      const report = { journal: { folder: core.journal.folder, state: core.journal.state.kind }, git: core.programs.git, ripgrep: core.programs.ripgrep, engines };
      if (values.json === true) {
        context.write(`${JSON.stringify(report, null, 2)}\n`);
        return exitCode.ok;
      }
      context.write(`journal  ${report.journal.state} in ${report.journal.folder}\ngit      ${report.git ?? 'not found'}\nripgrep  ${report.ripgrep ?? 'not found; searching without it'}\n`);
      for (const { name, status, leavesMachine, consented } of engines) {
        const consent = leavesMachine ? (consented ? ', consent given' : ', consent not given yet') : '';
        context.write(`engine   ${name}: ${status.usable ? `usable, ${status.label}; goes to ${status.destination}${consent}` : `not usable: ${status.message}`}\n`);
      }
      return exitCode.ok;
    } finally {
      await core.close();
    }
  },
};
