/**
 * Widths of letters in thousandths of the font size, as in Arial, and in Liberation Sans, which has the same by design.
 * https://github.com/liberationfonts/liberation-fonts
 */
const widths: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries({
    191: "'",
    222: 'ijl',
    260: '|',
    278: ' !,./:;I[\\]ft',
    333: '()-`r',
    334: '{}',
    355: '"',
    389: '*',
    469: '^',
    500: 'Jcksvxyz',
    556: '#$0123456789?L_abdeghnopqu',
    584: '+<=>~',
    611: 'FTZ',
    667: '&ABEKPSVXY',
    722: 'CDHNRUw',
    778: 'GOQ',
    833: 'Mm',
    889: '%',
    944: 'W',
    1015: '@',
  }).flatMap(([width, letters]) => Array.from(letters, (letter) => [letter, Number(width)])),
)

const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff01-\uff60]/u
const emoji = /\p{Extended_Pictographic}/u
const combining = /\p{M}|\u200d|\ufe0f/u
/** Letters of scripts that are not in the table, a little wider than most of them. */
const otherWidth = 600
const boldFactor = 1.08
/** Some systems show a font that is a little wider. */
const reserve = 1.04

/** The width of a line of text in pixels. */
export function textWidth(text: string, fontSize: number, isBold = false): number {
  let thousandths = 0
  for (const letter of text) thousandths += letterWidth(letter)
  return (thousandths / 1000) * fontSize * (isBold ? boldFactor : 1) * reserve
}

function letterWidth(letter: string): number {
  const known = widths[letter]
  if (known !== undefined) return known
  if (combining.test(letter)) return 0
  if (wide.test(letter)) return 1000
  if (emoji.test(letter)) return 1250
  // é is as wide as e
  return widths[letter.normalize('NFD').charAt(0)] ?? otherWidth
}
