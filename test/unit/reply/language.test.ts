import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detectLanguage } from '../../../extension/core/cases/reply/language.ts';
import { measure, splitReply } from '../../../extension/core/cases/reply/length.ts';

describe('detectLanguage', () => {
  it.each([
    ['en', 'When I click on the save button, the window closes but the file is not there. What can I do?'],
    ['de', 'Wenn ich auf Speichern klicke, schließt sich das Fenster, aber die Datei ist nicht da. Was kann ich tun?'],
    ['fr', "Quand je clique sur le bouton, la fenêtre se ferme mais le fichier n'est pas là. Que puis-je faire ?"],
    ['es', 'Cuando hago clic en el botón, la ventana se cierra pero el archivo no está. ¿Qué puedo hacer?'],
    ['pt', 'Quando clico no botão, a janela fecha mas o arquivo não está lá. O que posso fazer? Obrigado.'],
    ['it', 'Quando faccio clic sul pulsante, la finestra si chiude ma il file non è più nella cartella. Grazie.'],
    ['nl', 'Als ik op de knop klik, sluit het venster maar het bestand is er niet. Wat kan ik doen?'],
    ['sv', 'När jag klickar på knappen stängs fönstret men filen är inte där. Vad ska jag göra? Tack.'],
    ['da', 'Når jeg klikker på knappen, lukker vinduet, men filen er ikke der. Hvad skal jeg gøre? Tak.'],
    ['pl', 'Kiedy klikam przycisk, okno się zamyka, ale nie ma pliku. Co mogę zrobić? Dziękuję.'],
    ['cs', 'Když kliknu na tlačítko, okno se zavře, ale soubor tam není. Co mám dělat? Děkuji.'],
    ['tr', 'Düğmeye bastığımda pencere kapanıyor ama dosya yok. Ne yapmam gerekiyor? Teşekkürler, çok önemli.'],
    ['ja', '保存ボタンを押すとウィンドウが閉じますが、ファイルがありません。'],
    ['zh', '我点击保存按钮时，窗口关闭了，但是文件没有保存。请问怎么办？'],
    ['ko', '저장 버튼을 누르면 창이 닫히지만 파일이 없습니다.'],
    ['ru', 'Когда я нажимаю на кнопку, окно закрывается, но файла нет. Что мне делать? Это важный вопрос.'],
    ['uk', 'Коли я натискаю кнопку, вікно закривається, але файлу немає. Що мені робити?'],
    ['ar', 'عندما أضغط على الزر تُغلق النافذة لكن الملف غير موجود. ماذا يمكنني أن أفعل؟'],
    ['fa', 'وقتی روی دکمه کلیک می‌کنم پنجره بسته می‌شود اما فایل وجود ندارد. چه کار کنم؟'],
    ['he', 'כשאני לוחץ על הכפתור החלון נסגר אבל הקובץ לא נמצא שם.'],
    ['el', 'Όταν πατάω το κουμπί, το παράθυρο κλείνει αλλά το αρχείο δεν υπάρχει.'],
    ['th', 'เมื่อฉันคลิกปุ่มบันทึก หน้าต่างจะปิดแต่ไม่มีไฟล์'],
    ['hi', 'जब मैं बटन दबाता हूँ तो खिड़की बंद हो जाती है लेकिन फ़ाइल नहीं है।'],
  ])('%s', (language, text) => expect(detectLanguage(text)).toBe(language));

  it.each(['', 'OK', 'TypeError: x is not a function', 'v1.2.3', 'Export PDF Error 500', '🐛🐛🐛', 'lorem ipsum dolor sit amet consectetur', 'src/a/b.ts and foo_bar'])('is honestly unsure of: %s', (text) => {
    expect(detectLanguage(text)).toBe('unsure');
  });

  it('is not led astray by code, quotations, addresses and English terms', () => {
    expect(detectLanguage('Guten Tag, ich bekomme den Fehler nicht weg und weiß nicht, was ich noch tun kann.\n```\nif the value is not the same as this then return the error for the user\n```\n> Please send us the log of the app and we will have a look')).toBe('de');
    expect(detectLanguage('Hallo, beim Export kommt "Cannot read the property of undefined" und ich weiß nicht, wie ich das beheben kann. Danke!')).toBe('de');
  });
});

describe('T19: splitReply', () => {
  it('leaves alone what fits', () => expect(splitReply('short', { length: 100, unit: 'code_points' })).toEqual(['short']));

  it('cuts 70 000 characters with emoji and an open code fence into parts that fit, each with its fences closed', () => {
    const text = `Intro 👩\u200d👩\u200d👧\n\n\`\`\`js\n${'const a = "🐛";\n'.repeat(5000)}`;
    const limit = { length: 65_440, unit: 'code_points' } as const;
    expect(measure(text, 'code_points')).toBeGreaterThan(70_000);
    const parts = splitReply(text, limit);
    expect(parts).toHaveLength(2);
    for (const part of parts) expect(measure(part, limit.unit)).toBeLessThanOrEqual(limit.length);
    expect(parts[0]?.endsWith('\n```\n\n…')).toBe(true);
    expect(parts[1]?.startsWith('```js\nconst a')).toBe(true);
    expect(parts.join('').match(/const a = "🐛";/g)).toHaveLength(5000);
  });

  it('never cuts inside a character, whatever the unit', () => {
    const family = '👩\u200d👩\u200d👧';
    for (const unit of ['code_points', 'utf16', 'bytes'] as const) {
      for (const part of splitReply(family.repeat(100), { length: 90, unit })) {
        expect(measure(part, unit)).toBeLessThanOrEqual(90);
        expect(part.replaceAll(family, '').trim()).toMatch(/^…?$/);
      }
    }
  });

  it('for any text: every part fits and nothing but white space is lost', () => {
    const text = fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('```\n', '~~~~\n', '\n\n', ' ', 'x'.repeat(50))), { maxLength: 60 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, fc.constantFrom('code_points' as const, 'utf16' as const, 'bytes' as const), (source, unit) => {
        const parts = splitReply(source, { length: 80, unit });
        for (const part of parts) expect(measure(part, unit)).toBeLessThanOrEqual(80);
        const bare = (value: string): string => value.replace(/[\s…`~]/gu, '');
        if (!/[`~]{3}|…/.test(source)) expect(bare(parts.join(''))).toBe(bare(source));
      }),
      { numRuns: 400 },
    );
  });
});
