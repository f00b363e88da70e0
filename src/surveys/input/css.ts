/** CSS that a survey must not have: it would load anything from outside, run anything, or leave its style element. */
const forbidden: readonly { pattern: RegExp; sentence: string }[] = [
  { pattern: /<\/?\s*style|<!--|-->|<script/i, sentence: 'CSS holds no HTML tags.' },
  { pattern: /@import/i, sentence: 'CSS cannot @import other files.' },
  {
    pattern: /url\(\s*(?!["']?data:image\/(?:png|jpeg|gif|webp|avif)[;,])/i,
    sentence: 'CSS can load pictures only as data:image/… addresses.',
  },
  {
    pattern: /image-set\(|-webkit-image-set\(|(?<![-\w])(?:src|image|cross-fade)\(/i,
    sentence: 'CSS can load pictures only by url(data:image/…).',
  },
  {
    pattern: /expression\s*\(|javascript:|behaviou?r\s*:|-moz-binding/i,
    sentence: 'CSS cannot run scripts.',
  },
  {
    pattern: /@font-face|@namespace|@charset/i,
    sentence: 'CSS cannot load fonts. Name an installed font instead.',
  },
]

/** The first objection to a style sheet; undefined if there is none. Escapes and comments cannot hide a word. */
export function cssObjection(css: string): string | undefined {
  const plain = withoutEscapes(withoutComments(css))
  const found = forbidden.find(({ pattern }) => pattern.test(plain) || pattern.test(css))
  return found?.sentence ?? balanceObjection(css)
}

const withoutComments = (css: string): string => css.replaceAll(/\/\*[\s\S]*?(?:\*\/|$)/g, '')

/** A browser reads `\75rl(` as `url(`. */
const withoutEscapes = (css: string): string =>
  css
    .replaceAll(/\\([\da-fA-F]{1,6})\s?/g, (_, hex: string) => {
      const code = Number.parseInt(hex, 16)
      return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : ''
    })
    .replaceAll(/\\([\s\S])/g, '$1')

const cssTokens =
  /\\[\s\S]|"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'|\/\*[\s\S]*?\*\/|\/\*|[{}()[\]"']/g

const closing: Readonly<Record<string, string>> = { '{': '}', '(': ')', '[': ']' }

/** A brace too many would end the block that scopes the rules to the survey, and so would one hidden by a quotation mark. */
function balanceObjection(css: string): string | undefined {
  const open: string[] = []
  for (const [token] of css.matchAll(cssTokens)) {
    if (token === '"' || token === "'") return 'The CSS does not close all its quotation marks.'
    if (token === '/*') return 'The CSS does not close all its comments.'
    const end = closing[token]
    if (end !== undefined) open.push(end)
    else if ('})]'.includes(token) && open.pop() !== token)
      return 'The CSS closes a bracket that it did not open.'
  }
  return open.length === 0 ? undefined : 'The CSS does not close all its brackets.'
}

const colorForm =
  /^(?:#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})|[a-z]{3,25}|(?:rgb|rgba|hsl|hsla|oklch|oklab|lch|lab|hwb)\([\d\s.,%/+-]*(?:deg|rad|turn)?[\d\s.,%/+-]*\))$/i

export const isColor = (color: string): boolean => color.length <= 100 && colorForm.test(color)

/** Names of fonts, with or without quotation marks. */
export const isFontFamily = (family: string): boolean =>
  family.length <= 300 && /^[\p{L}\d\s,"'_-]*$/u.test(family)
