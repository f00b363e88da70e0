import type {
  CodeCompletion,
  CodeLanguage,
  CodeSuggestion,
  EditorToken,
  EditorTokenKind,
} from '#ui/form/code'

const keywords = new Set(
  (
    'select distinct from prewhere where group by having order asc desc limit offset with as on using join left right ' +
    'inner outer full cross any all semi anti array union except intersect and or not in is null like ilike between ' +
    'case when then else end interval true false over partition rows range preceding following current row window ' +
    'nulls first last totals rollup cube cast exists year quarter month week day hour minute second'
  ).split(' '),
)

const functions = (
  'count countIf uniq uniqExact uniqIf sum sumIf avg avgIf min max any argMin argMax median quantile groupArray ' +
  'groupUniqArray toDate toDateTime toStartOfHour toStartOfDay toStartOfWeek toStartOfMonth toHour toDayOfWeek now ' +
  'today dateDiff dateAdd if multiIf coalesce nullIf ifNull length lower upper substring position replaceAll ' +
  'splitByChar concat toString toInt64 toFloat64 round floor ceil abs has arrayJoin row_number lagInFrame'
).split(' ')

const patterns: readonly (readonly [EditorTokenKind, RegExp])[] = [
  ['comment', /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y],
  ['string', /'(?:[^'\\]|\\[\s\S]|'')*(?:'|$)|`[^`]*(?:`|$)|"[^"]*(?:"|$)/y],
  ['parameter', /\{\{\s*\w*\s*\}\}/y],
  ['number', /\d+(?:\.\d+)?(?:e[+-]?\d+)?\b/iy],
  ['plain', /[A-Za-z_]\w*/y],
]

/** Splits a statement into tokens. It accepts any text: what is being written is rarely complete. */
export function tokensIn(text: string): EditorToken[] {
  const tokens: EditorToken[] = []
  let at = 0
  while (at < text.length) {
    const token = tokenAt(text, at)
    const last = tokens.at(-1)
    if (token.kind === 'plain' && last?.kind === 'plain') last.text += token.text
    else tokens.push(token)
    at += token.text.length
  }
  return tokens
}

function tokenAt(text: string, at: number): EditorToken {
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    if (found) return { kind: kind === 'plain' ? kindOfWord(found, text, at) : kind, text: found }
  }
  return { kind: 'plain', text: text.charAt(at) }
}

function kindOfWord(word: string, text: string, at: number): EditorTokenKind {
  if (text.charAt(at + word.length) === '(' && !keywords.has(word.toLowerCase())) return 'function'
  return keywords.has(word.toLowerCase()) ? 'keyword' : 'plain'
}

interface NamedColumns {
  name: string
  columns: readonly { name: string; type: string }[]
}

const mostSuggestions = 8

/** The language of statements over these tables, with completion of their names. */
export const sqlOver = (tables: readonly NamedColumns[]): CodeLanguage => ({
  tokensIn,
  completionAt: (text, caret) => completionAt(tables, text, caret),
})

/** The language where the tables are not known. */
export const sqlLanguage: CodeLanguage = { tokensIn }

function completionAt(
  tables: readonly NamedColumns[],
  text: string,
  caret: number,
): CodeCompletion | undefined {
  const before = text.slice(0, caret)
  const inside = tokensIn(before).at(-1)?.kind
  if (inside === 'string' || inside === 'comment' || /\w/.test(text.charAt(caret))) return undefined
  const [, table, word = ''] = /(?:(\w+)\.)?(\w*)$/.exec(before) ?? []
  if (word === '' && table === undefined) return undefined
  const wanted = word.toLowerCase()
  const suggestions = offered(tables, text, table, before.slice(0, before.length - word.length))
    .filter((one) => one.text.toLowerCase().startsWith(wanted))
    .slice(0, mostSuggestions)
  const isWritten = suggestions.some((one) => one.text.toLowerCase() === wanted)
  return suggestions.length > 0 && !isWritten ? { word, suggestions } : undefined
}

/** The names that may come here, the likeliest first. */
function offered(
  tables: readonly NamedColumns[],
  text: string,
  prefix: string | undefined,
  before: string,
): CodeSuggestion[] {
  const named = tables.filter(({ name }) => new RegExp(`\\b${name}\\b`, 'i').test(text))
  const ofPrefix = tables.filter(({ name }) => name === prefix)
  if (prefix !== undefined) return columnsOf(ofPrefix.length > 0 ? ofPrefix : named)
  const tableNames = tables.map(({ name }) => ({ text: name, about: 'table' }))
  if (/\b(?:from|join)\s+$/i.test(before)) return tableNames
  return [
    ...columnsOf(named.length > 0 ? named : tables),
    ...tableNames,
    ...functions.map((name) => ({ text: `${name}(`, about: 'function' })),
    ...[...keywords].map((name) => ({ text: name, about: 'keyword' })),
  ]
}

/** Columns of the same name are offered once. */
function columnsOf(tables: readonly NamedColumns[]): CodeSuggestion[] {
  const places = new Map<string, string[]>()
  for (const table of tables)
    for (const { name } of table.columns) places.set(name, [...(places.get(name) ?? []), table.name])
  return [...places].map(([text, of]) => ({ text, about: `column of ${of.join(', ')}` }))
}
