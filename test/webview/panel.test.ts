import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { concludedCase, failedCase, interruptedCase, longCase, openedCase, questionCase, replayCase, runningCase } from '../fixtures/case-states.ts';
import { PanelHarness } from './harness.ts';

let harness: PanelHarness;
beforeAll(async () => {
  harness = await PanelHarness.start();
});
afterAll(() => harness?.stop());

describe('security', () => {
  it('loads nothing from elsewhere and runs nothing, whatever the agent and the customer wrote', async () => {
    const panel = await harness.open();
    const evil = '<img src="https://evil.example/a.png" onerror="window.hit=1"><script>window.hit=1</script> ![x](https://evil.example/b.png) [c](javascript:window.hit=1) <style>*{background:url(https://evil.example/c)}</style> <svg onload="window.hit=1">';
    await panel.show({ ...concludedCase, title: evil, report: { markdown: evil, partial: false, at: concludedCase.openedAt }, ticket: { ...concludedCase.ticket, title: evil, description: evil, reporter: evil } });
    await panel.page.locator('#heading-ticket').click();
    expect(await panel.page.evaluate('window.hit')).toBeUndefined();
    expect(panel.requests).toEqual([]);
    expect(await panel.page.locator('casebook-app img, casebook-app script, casebook-app style, casebook-app svg, casebook-app [href^="javascript"]').count()).toBe(0);
    expect(await panel.page.locator('.image-placeholder').first().textContent()).toContain('https://evil.example/b.png');
    expect(await panel.violations()).toEqual([]);
    await panel.close();
  });

  it('is held by the policy: an inline style or a foreign image is refused', async () => {
    const panel = await harness.open();
    await panel.show(openedCase);
    await panel.page.evaluate("document.body.insertAdjacentHTML('beforeend', '<p style=\"color:red\">x</p><img src=\"https://evil.example/x.png\">')");
    await panel.until('window.violations.length >= 2');
    expect((await panel.violations()).join(' ')).toMatch(/style-src-attr.*img-src|img-src.*style-src-attr/u);
    await panel.close();
  });
});

describe('evidence and report', () => {
  it('opens a citation at its lines, a moved one where it is now, and a place in the report, by keyboard', async () => {
    const panel = await harness.open();
    await panel.show(concludedCase);
    await panel.page.locator('.citation-open').nth(0).focus();
    await panel.page.keyboard.press('Enter');
    expect(await panel.answer('openCitation')).toEqual({ file: 'webshop/src/basket/discounts.ts', line: 38, endLine: 42 });
    await panel.page.locator('.citation-open').nth(1).click();
    expect(await panel.answer('openCitation')).toEqual({ file: 'webshop/src/basket/discounts.ts', line: 55 });
    await panel.page.locator('casebook-report button.cited').first().focus();
    await panel.page.keyboard.press('Enter');
    expect(await panel.answer('openCitation')).toEqual({ file: 'webshop/src/ui/voucher-list.ts', line: 64 });
    await panel.close();
  });

  it('says each state in a word and gives the scout’s named reasons on demand', async () => {
    const panel = await harness.open();
    await panel.show(concludedCase);
    expect(await panel.page.locator('.citation .badge').allInnerTexts()).toEqual(['Verified', 'Moved', 'Located', 'Stale', 'Missing']);
    const why = panel.page.locator('.why-toggle').first();
    await why.focus();
    await panel.page.keyboard.press('Enter');
    expect(await why.getAttribute('aria-expanded')).toBe('true');
    expect(await panel.page.locator('.reasons').first().innerText()).toMatch(/5\.0\s+Named by the top frame.*stack_frame/su);
    await panel.close();
  });

  it('shows a refusal of the host and lets it be dismissed', async () => {
    const panel = await harness.open();
    await panel.show(concludedCase);
    await panel.page.locator('.citation-open').first().click();
    await panel.answer('openCitation', { ok: false, message: 'That file is gone.' });
    const alert = panel.page.locator('[role=alert]');
    expect(await alert.innerText()).toContain('That file is gone.');
    await alert.locator('vscode-button').click();
    await panel.until("document.querySelector('[role=alert]').innerText === ''");
    await panel.close();
  });
});

describe('steps', () => {
  it('is one tab stop with arrows inside, and opens details', async () => {
    const panel = await harness.open();
    await panel.show(runningCase);
    expect(await panel.page.locator('.step-row[tabindex="0"]').count()).toBe(1);
    await panel.page.locator('.step-row[tabindex="0"]').focus();
    await panel.page.keyboard.press('Home');
    await panel.page.keyboard.press('ArrowDown');
    await panel.until("document.activeElement.dataset.step === '1'");
    await panel.page.keyboard.press('ArrowRight');
    await panel.page.locator('.step-detail').waitFor();
    expect(await panel.page.locator('.step-detail').innerText()).toContain('I start with the one that threw');
    await panel.page.keyboard.press('End');
    await panel.until("document.activeElement.dataset.step === '7'");
    await panel.close();
  });

  it('holds 10,000 steps and 400 citations in a bounded page, follows the newest, and reaches both ends by key', async () => {
    const panel = await harness.open();
    await panel.show(longCase());
    await panel.until("document.querySelector('[data-step=\"9999\"]') !== null");
    expect(await panel.domSize()).toBeLessThan(4500);
    await panel.page.locator('.step-row[tabindex="0"]').focus();
    await panel.page.keyboard.press('Home');
    await panel.until("document.activeElement.dataset.step === '0'");
    await panel.page.keyboard.press('End');
    await panel.until("document.activeElement.dataset.step === '9999'");
    expect(await panel.page.locator('.step[role=listitem]').last().getAttribute('aria-setsize')).toBe('10000');
    expect(await panel.page.locator('.step').count()).toBeLessThan(120);
    await panel.close();
  }, 180_000);

  it('takes a new snapshot of 10,000 steps in a time that does not grow with them', async () => {
    const panel = await harness.open();
    const timeOf = async (steps: number): Promise<number> => {
      const state = longCase();
      await panel.show({ ...state, runs: state.runs.map((run) => ({ ...run, steps: run.steps.slice(0, steps) })) });
      return await panel.page.evaluate<number>(`(async () => { const app = document.querySelector('casebook-app'); const state = app.model.state; const from = performance.now(); for (let n = 0; n < 5; n++) { app.receive({ type: 'case', state: { ...state, lastEventAt: String(n), runs: [{ ...state.runs[0], steps: [...state.runs[0].steps] }] }, settings: app.model.settings }); await app.updateComplete; } return (performance.now() - from) / 5; })()`);
    };
    // Other work on the machine only adds time: the least of some tries counts.
    let [few, all] = [Infinity, Infinity];
    for (let attempt = 0; attempt < 8 && all > Math.max(few, 4) * 10; attempt += 1) [few, all] = [Math.min(few, await timeOf(100)), Math.min(all, await timeOf(10_000))];
    expect(all).toBeLessThanOrEqual(Math.max(few, 4) * 10);
    await panel.close();
  }, 180_000);

  it('stops the run that is shown, and says unknown where nothing was reported', async () => {
    const panel = await harness.open();
    const { usd: _usd, ...usage } = runningCase.runs[0]?.usage ?? { inputTokens: 0, outputTokens: 0, cachedTokens: 0, turns: 0 };
    await panel.show({ ...runningCase, runs: runningCase.runs.map((run) => ({ ...run, usage })) });
    expect(await panel.page.locator('.meters').innerText()).toMatch(/Cost\s+unknown/u);
    await panel.page.locator('#stop').focus();
    await panel.page.keyboard.press('Space');
    expect(await panel.answer('stopRun')).toEqual({ run: 'run_01jp' });
    await panel.close();
  });
});

describe('questions', () => {
  it('takes focus, is announced, and is answered with options, several options and words', async () => {
    const panel = await harness.open();
    await panel.show(runningCase);
    await panel.show(questionCase);
    expect(await panel.page.locator('[role=status]').innerText()).toBe('The agent asks 3 questions.');
    expect(await panel.focused()).toBe('question-set');
    expect(await panel.page.locator('#send-q_01').getAttribute('aria-disabled')).toBe('true');
    await panel.page.keyboard.press('Tab');
    await panel.page.keyboard.press('Space');
    await panel.page.getByLabel('Back office').check();
    await panel.page.getByLabel('No', { exact: false }).last().check();
    await panel.page.locator('#q-q_01-2-text').fill('4.11');
    await panel.page.keyboard.press('Control+Enter');
    expect(await panel.answer('answer')).toEqual({
      question: 'q_01',
      answers: [
        { chosen: ['Web shop', 'Back office'], skipped: false },
        { chosen: ['No'], skipped: false },
        { chosen: [], text: '4.11', skipped: false },
      ],
    });
    await panel.close();
  });

  it('can be skipped, and never takes focus from somebody who types', async () => {
    const panel = await harness.open();
    await panel.show(concludedCase);
    await panel.page.locator('#reply-text').focus();
    await panel.show({ ...concludedCase, questions: questionCase.questions });
    expect(await panel.focused()).toBe('reply-text');
    await panel.page.locator('vscode-button', { hasText: 'Skip' }).click();
    expect(await panel.answer('answer')).toMatchObject({ question: 'q_01', answers: [{ skipped: true }, { skipped: true }, { skipped: true }] });
    await panel.close();
  });
});

describe('verdict', () => {
  it('is overridden only with a reason, and with a confirmation when it is a bug', async () => {
    const panel = await harness.open();
    const { decision: _decision, ...verdict } = concludedCase.verdict ?? { decision: undefined };
    await panel.show({ ...concludedCase, verdict });
    await panel.page.locator('#accept-verdict').click();
    expect(await panel.answer('acceptVerdict')).toEqual({});
    await panel.page.locator('#override-verdict').click();
    await panel.page.locator('input[name=override-classification][value=answerable]').check();
    expect(await panel.page.locator('input[name=override-confirmation]').count()).toBe(0);
    await panel.page.keyboard.press('Control+Enter');
    expect((await panel.posted()).some((message) => message.name === 'overrideVerdict')).toBe(false);
    await panel.page.locator('#override-reason').fill('It works as documented.');
    await panel.page.locator('#override-submit').click();
    expect(await panel.answer('overrideVerdict')).toEqual({ classification: 'answerable', confidence: 'medium', reason: 'It works as documented.' });
    await panel.page.locator('#override-verdict').waitFor();
    expect(await panel.focused()).toBe('override-verdict');
    await panel.close();
  });
});

describe('reply', () => {
  it('goes back to where the keyboard was, when the page gets the focus again and after a reload', async () => {
    const panel = await harness.open();
    await panel.show(concludedCase);
    await panel.page.locator('.citation-open').nth(2).focus();
    const here = "document.activeElement === document.querySelectorAll('.citation-open')[2]";
    await panel.page.evaluate("document.activeElement.blur(); window.dispatchEvent(new Event('focus'))");
    await panel.until(here);
    await panel.page.reload();
    await panel.ready();
    await panel.show(concludedCase);
    await panel.until(here);
    // What has the focus keeps it.
    await panel.page.locator('#heading-report').focus();
    await panel.page.evaluate("window.dispatchEvent(new Event('focus'))");
    expect(await panel.focused()).toBe('heading-report');
    await panel.close();
  });

  it('keeps an unsaved draft through a reload, and saves it with Ctrl+Enter', async () => {
    const panel = await harness.open();
    await panel.show(concludedCase);
    await panel.page.locator('#reply-text').fill('My own words');
    await panel.show({ ...concludedCase, lastEventAt: 'later' });
    await panel.page.reload();
    await panel.ready();
    await panel.show(concludedCase);
    expect(await panel.page.locator('#reply-text').inputValue()).toBe('My own words');
    expect(await panel.page.locator('#post-reasons').innerText()).toContain('Save your changes first.');
    await panel.page.locator('#reply-text').focus();
    await panel.page.keyboard.press('Control+Enter');
    expect(await panel.answer('editReply')).toEqual({ text: 'My own words' });
    await panel.show({ ...concludedCase, reply: { ...concludedCase.reply, text: 'My own words', edited: true } });
    expect(await panel.page.locator('#reply-save').getAttribute('aria-disabled')).toBe('true');
    await panel.close();
  });

  it('goes to a finding, applies its fix, and overrides only with a reason', async () => {
    const panel = await harness.open();
    await panel.show(concludedCase);
    await panel.page.locator('.finding').first().getByText('Go to').click();
    expect(await panel.page.evaluate("(() => { const box = document.querySelector('#reply-text'); return box.value.slice(box.selectionStart, box.selectionEnd); })()")).toBe('We will fix it by Friday');
    await panel.page.locator('.finding').first().getByText('Apply Fix').click();
    expect(JSON.stringify(await panel.answer('editReply'))).toContain('We are looking at a correction in src/');
    await panel.page.locator('#override-finding-2').click();
    await panel.page.locator('#finding-reason-2').fill('Agreed with the customer’s manager');
    await panel.page.keyboard.press('Enter');
    expect(await panel.answer('overrideFinding')).toEqual({ rule: 'defect_admission', reason: 'Agreed with the customer’s manager' });
    await panel.close();
  });

  it('cannot be posted while something blocks it, nor from a replay, and posts otherwise', async () => {
    const panel = await harness.open();
    const free = { ...concludedCase, reply: { text: 'Hello', edited: false, findings: [], overridden: {}, blockers: [] } };
    await panel.show(concludedCase);
    await panel.page.locator('#reply-post').click({ force: true });
    await panel.show({ ...replayCase, reply: free.reply });
    expect(await panel.page.locator('.chips').first().innerText()).toContain('Replay: no model ran');
    await panel.page.locator('#reply-post').click({ force: true });
    expect((await panel.posted()).some((message) => message.name === 'postReply')).toBe(false);
    await panel.show(free);
    await panel.page.locator('#reply-post').click();
    expect(await panel.answer('postReply')).toEqual({});
    await panel.close();
  });
});

describe('whole panel', () => {
  it('offers to run again after a failure and to resume after an interruption', async () => {
    const panel = await harness.open();
    await panel.show(failedCase);
    expect(await panel.page.locator('.notice').first().innerText()).toContain('Claude Code is not signed in');
    await panel.page.locator('#run-again').click();
    expect(await panel.answer('runAgain')).toEqual({ mode: 'restart' });
    await panel.show(interruptedCase);
    await panel.page.locator('#resume').click();
    expect(await panel.answer('runAgain')).toEqual({ mode: 'resume' });
    await panel.close();
  });

  it('reflows from 300 pixels up without scrolling sideways', async () => {
    const panel = await harness.open({ width: 300 });
    for (const state of [runningCase, questionCase, concludedCase, longCase(200, 40)]) {
      await panel.show(state);
      expect(await panel.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(300);
    }
    await panel.show(concludedCase);
    await panel.screenshot('narrow-concluded');
    await panel.page.setViewportSize({ width: 1400, height: 900 });
    const columns = await panel.page.evaluate<number[]>("[...document.querySelectorAll('.column')].map((column) => column.getBoundingClientRect().top)");
    expect(columns[0]).toBe(columns[1]);
    await panel.screenshot('wide-concluded');
    await panel.close();
  });

  it('reveals a part that a command asks for, also one that is closed', async () => {
    const panel = await harness.open();
    await panel.send({ type: 'reveal', part: 'steps' });
    await panel.show(concludedCase);
    await panel.until("document.activeElement.id === 'heading-steps'");
    expect(await panel.page.locator('#heading-steps').getAttribute('aria-expanded')).toBe('true');
    await panel.close();
  });

  it('stands still when motion is reduced, and does not move a screen reader’s place', async () => {
    const panel = await harness.open({ classes: 'vscode-reduce-motion vscode-using-screen-reader' });
    await panel.show(longCase(500, 4));
    expect(await panel.page.evaluate("getComputedStyle(document.querySelector('.codicon-loading')).animationName")).toBe('none');
    expect(await panel.page.evaluate("document.querySelector('.steps-scroll').scrollTop")).toBe(0);
    await panel.close();
  });
});
