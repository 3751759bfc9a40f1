import { markdownSpans, withoutSpans } from '../../base/markdown-spans.ts';

/** ISO 639-1 codes of the languages that can be told apart. */
export type Language = 'en' | 'de' | 'fr' | 'es' | 'pt' | 'it' | 'nl' | 'sv' | 'da' | 'pl' | 'cs' | 'tr' | 'ja' | 'zh' | 'ko' | 'ru' | 'uk' | 'ar' | 'fa' | 'he' | 'el' | 'th' | 'hi';

export const languageNames: Record<Language, string> = {
  en: 'English', de: 'German', fr: 'French', es: 'Spanish', pt: 'Portuguese', it: 'Italian', nl: 'Dutch', sv: 'Swedish', da: 'Danish', pl: 'Polish', cs: 'Czech', tr: 'Turkish',
  ja: 'Japanese', zh: 'Chinese', ko: 'Korean', ru: 'Russian', uk: 'Ukrainian', ar: 'Arabic', fa: 'Persian', he: 'Hebrew', el: 'Greek', th: 'Thai', hi: 'Hindi',
};

/** The commonest small words of each Latin-script language. A word that several languages share counts for each by its share. */
const stopWords: Record<string, string> = {
  en: 'the and is are was were to of in that it for on with this have has not you we i my your when can but be if would please after does do there which from will they an as at by or our what how get thanks hello',
  de: 'der die das und ist sind war nicht ich wir sie es ein eine einen dem den mit für auf zu wenn kann aber auch nach bei wird haben hat mein unsere bitte wie dass von im als oder wurde mehr noch hallo danke seit keine ihr ihre können',
  fr: 'le la les et est sont était pas je nous vous il elle un une des du de avec pour sur que qui quand peut mais dans ce cette mon votre bonjour merci ne plus au aux être avez ont fait comme lorsque sans mes',
  es: 'el la los las y es son era no yo nosotros usted un una de del con para por que cuando puede pero en este esta mi su hola gracias se me al como más está están desde hay muy tengo también ya lo nos',
  pt: 'o a os as e é são era não eu nós você um uma de do da com para por que quando pode mas em este esta meu sua olá obrigado se ao como mais está estão desde há muito tenho também já no na dos das ele isso',
  it: 'il lo la gli le e è sono era non io noi un una di del della con per che quando può ma in questo questa mio suo ciao grazie si al come più dal anche ho abbiamo nel sul dopo ogni ancora buongiorno viene',
  nl: 'de het een en is zijn was niet ik wij we u je met voor op te als kan maar ook na bij wordt hebben heeft mijn onze graag hoe dat van in of naar meer nog hallo bedankt sinds geen er deze dit wanneer om aan',
  sv: 'och är var inte jag vi du ni det den en ett med för på att när kan men också efter hos blir har min vår hur som av i eller mer hej tack sedan ingen detta från till vad om så skulle kunna finns mycket',
  da: 'og er var ikke jeg vi du i det den en et med for på at når kan men også efter hos bliver har min vores hvordan som af eller mere hej tak siden ingen dette fra til hvad om så skulle kunne findes meget kære',
  pl: 'i jest są był nie ja my pan pani to ten ta z w na do że gdy może ale także po przez mam mój nasz jak od lub więcej dzień dobry dziękuję się co który jeśli proszę oraz tylko przy jestem tego tej dla czy już',
  cs: 'a je jsou byl není já my vy to ten ta s v na do že když může ale také po mám můj náš jak od nebo více dobrý den děkuji se co který pokud prosím jen při jsem pro už není aby ještě bych jako',
  tr: 've bir bu da de için ile ama çok daha gibi var yok ben biz siz mi ne nasıl sonra değil olan olarak merhaba teşekkürler lütfen ancak her kadar şu o en veya ise zaman oluyor hata',
};

/** Letters that only one or two of them write. */
const tellingLetters: [RegExp, Language, number][] = [
  [/ß/g, 'de', 1.5], [/[ñ¿¡]/g, 'es', 1.5], [/[ãõ]/g, 'pt', 1.5], [/[œ]|\b[cdjlmnst]['’](?=\p{L})/gu, 'fr', 0.8], [/[ąęłńśźż]/g, 'pl', 1], [/[ěřůň]/g, 'cs', 1], [/[ğış]/g, 'tr', 0.8], [/\bå|[åä]\b/g, 'sv', 0.3], [/[æø]/g, 'da', 0.8],
];

const maxRead = 20_000;

/**
 * The language of a text, or `unsure`: by script where that decides, by small words and letters for Latin text. Code, markup, addresses
 * and quoted lines are left out. Short or mixed texts are `unsure` on purpose; a wrong guess is worse than none.
 */
export function detectLanguage(text: string): Language | 'unsure' {
  const prose = proseOf(text.slice(0, maxRead * 4)).slice(0, maxRead);
  return byScript(prose) ?? byWords(prose.toLowerCase());
}

function proseOf(text: string): string {
  return withoutSpans(text, markdownSpans(text))
    .replace(/^\s{0,3}>.*$|^#{1,6} .*$|<[^<>\n]{0,300}>/gm, ' ')
    .split(/\s+/)
    .filter((token) => !isTechnical(token))
    .join(' ');
}

/** Addresses, paths, identifiers, versions. Only pure ASCII tokens: Japanese and its like write whole sentences without a space. */
function isTechnical(token: string): boolean {
  return /^[\x21-\x7e]+$/.test(token) && /[@/\\_\d=<>{}]|\w[.:]\w|[a-z][A-Z]/.test(token);
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

function byScript(text: string): Language | 'unsure' | undefined {
  const letters = count(text, /\p{L}/gu);
  if (letters < 8) return (letters >= 4 ? cjk(text, letters) : undefined) ?? 'unsure';
  // Names and terms stay in Latin letters everywhere, so another script decides with well under half of the letters.
  const share = (pattern: RegExp): boolean => count(text, pattern) / letters > 0.3;
  const east = cjk(text, letters);
  if (east !== undefined) return east;
  if (share(/\p{Script=Cyrillic}/gu)) return cyrillic(text);
  if (share(/\p{Script=Arabic}/gu)) return count(text, /[پچژگکی]/g) > 2 ? 'fa' : count(text, /[ةيىكأإ]/g) > 0 ? 'ar' : 'unsure';
  if (share(/\p{Script=Hebrew}/gu)) return 'he';
  if (share(/\p{Script=Greek}/gu)) return 'el';
  if (share(/\p{Script=Thai}/gu)) return 'th';
  if (share(/\p{Script=Devanagari}/gu)) return 'hi';
  return count(text, /\p{Script=Latin}/gu) / letters > 0.7 ? undefined : 'unsure';
}

function cjk(text: string, letters: number): Language | undefined {
  const kana = count(text, /[\p{Script=Hiragana}\p{Script=Katakana}]/gu);
  const han = count(text, /\p{Script=Han}/gu);
  const hangul = count(text, /\p{Script=Hangul}/gu);
  // One of these characters says about as much as two or three letters.
  if (hangul * 2.5 > letters * 0.4 && hangul > kana) return 'ko';
  if ((kana + han) * 2.5 <= letters * 0.4) return undefined;
  return kana > (kana + han) * 0.1 ? 'ja' : 'zh';
}

function cyrillic(text: string): Language | 'unsure' {
  const ukrainian = count(text, /[іїєґ]/gi);
  const russian = count(text, /[ыэёъ]/gi);
  if (ukrainian > 0 && russian === 0) return 'uk';
  return russian > 0 && ukrainian === 0 ? 'ru' : 'unsure';
}

function byWords(text: string): Language | 'unsure' {
  const owners = new Map<string, Language[]>();
  for (const [language, words] of Object.entries(stopWords)) {
    for (const word of new Set(words.split(' '))) owners.set(word, [...(owners.get(word) ?? []), language as Language]);
  }
  const words = text.match(/\p{L}+/gu) ?? [];
  const scores = new Map<Language, number>();
  for (const word of words) {
    const languages = owners.get(word) ?? [];
    for (const language of languages) scores.set(language, (scores.get(language) ?? 0) + 1 / languages.length);
  }
  for (const [pattern, language, weight] of tellingLetters) {
    const found = Math.min(count(text, pattern), words.length);
    if (found > 0) scores.set(language, (scores.get(language) ?? 0) + found * weight);
  }
  const [first, second] = [...scores].sort((a, b) => b[1] - a[1]);
  if (first === undefined || words.length < 4 || first[1] < 2 || first[1] / words.length < 0.08) return 'unsure';
  return first[1] >= (second?.[1] ?? 0) * 1.4 ? first[0] : 'unsure';
}
