/** A word, or up to three in a row, and the number of texts that contain it. */
export interface Phrase {
  /** Lower-case words of letters and digits: nothing in it can be markup. */
  text: string
  texts: number
}

const longestPhrase = 3
/** A longer text is read up to here; what it is about it says before. */
const mostCharacters = 2000
/** Distinct phrases that are counted at once; the rare ones are dropped whenever there are more. */
const mostCounted = 50_000

/** Returns the phrases that most texts contain. Needs no service: the texts never leave the server. */
export function frequentPhrases(texts: Iterable<string>, limit = 30): Phrase[] {
  const counts = new Map<string, number>()
  let least = 1
  for (const text of texts) {
    for (const phrase of phrasesOf(text)) counts.set(phrase, (counts.get(phrase) ?? 0) + 1)
    if (counts.size > mostCounted) dropRare(counts, least++)
  }
  const ranked = [...counts]
    .filter(([, count]) => count > 1)
    .map(([text, count]): Phrase => ({ text, texts: count }))
    .toSorted(
      (one, other) => other.texts - one.texts || lengthOf(other) - lengthOf(one) || inOrder(one, other),
    )
  return withoutParts(ranked, limit)
}

const inOrder = (one: Phrase, other: Phrase): number => (one.text < other.text ? -1 : 1)
const lengthOf = ({ text }: Phrase): number => text.split(' ').length

function dropRare(counts: Map<string, number>, most: number): void {
  for (const [phrase, count] of counts) if (count <= most) counts.delete(phrase)
}

/** Leaves out phrases that occur only as a part of a longer one. */
function withoutParts(ranked: readonly Phrase[], limit: number): Phrase[] {
  const kept: Phrase[] = []
  for (const phrase of ranked) {
    if (kept.length >= limit) break
    const whole = kept.some((other) => other.texts === phrase.texts && isPart(phrase.text, other.text))
    if (!whole) kept.push(phrase)
  }
  return kept
}

const isPart = (part: string, whole: string): boolean => ` ${whole} `.includes(` ${part} `)

/** Each phrase of a text once. None crosses punctuation, and none begins or ends with a word without meaning. */
export function phrasesOf(text: string): Set<string> {
  const phrases = new Set<string>()
  for (const words of sentencesOf(text.slice(0, mostCharacters))) {
    for (let from = 0; from < words.length; from++)
      for (let until = from + 1; until <= Math.min(words.length, from + longestPhrase); until++) {
        const phrase = words.slice(from, until)
        if (isMeaningful(phrase)) phrases.add(phrase.join(' '))
      }
  }
  return phrases
}

const sentencesOf = (text: string): string[][] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('’', "'")
    .split(/[.,;:!?()[\]{}<>"„“”«»/\\|\n\r\t]+/u)
    .map((part) => part.match(/[\p{L}\p{M}\p{N}]+(?:['-][\p{L}\p{M}\p{N}]+)*/gu) ?? [])

function isMeaningful(words: readonly string[]): boolean {
  const [first = '', last = ''] = [words[0], words.at(-1)]
  return !isStop(first) && !isStop(last)
}

const isStop = (word: string): boolean => word.length < 2 || word.length > 40 || stopWords.has(word)

/** Words that say nothing about what an answer is about. Negations stay: "not clear" is a finding. */
const english = `
a about above after again all also am an and any are as at be because been before being below between both but by can
could did do does doing down during each few for from further get got had has have having he her here hers him his how i
i'd i'll i'm i've if in into is it it's its itself just let like me more most my myself of off on once only or other our
ours out over own really same she should so some such than that that's the their theirs them then there these they they're
this those through to too under until up very was we were what when where which while who why will with would you you're
your yours
`
const german = `
ab aber alle allem allen aller alles als also am an ander andere anderen auch auf aus bei beim bin bis bist da dadurch daher
dann daran darauf das dass dazu dein deine dem den denn der des dessen deshalb die dies diese diesem diesen dieser dieses doch
dort du durch ein eine einem einen einer eines einfach er es etwas euch euer für gegen ganz gibt hab habe haben hat hatte
hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren im in ins ist ja jede jedem jeden jeder jedes jetzt kann können
könnte man mal mehr mein meine meinem meinen meiner mich mir mit muss nach noch nun nur ob oder ohne schon sehr sein seine
seinem seinen seiner seit sich sie sind so soll sollte sonst über um und uns unser unsere unter viel vom von vor war waren
was weil welche wenn werden wer wie wieder wir wird wo wurde würde zu zum zur zwischen
`

const stopWords: ReadonlySet<string> = new Set(`${english} ${german}`.split(/\s+/).filter(Boolean))
