import type * as Core from 'shiki/core'
import type * as Engine from 'shiki/engine/javascript'
import type { LanguageRegistration, ThemedToken } from 'shiki/types'
import { LRUCache } from 'lru-cache'

/**
 * Code with its words told apart, on the server and at once: nothing is awaited, because a language is loaded when it is
 * first met and not before. What a word is, is said by one of a few classes; prose.css has their colours.
 */
export function highlight(code: string, language: string): Piece[] {
  const grammar = grammars.get(language.toLowerCase())
  if (!grammar || code.length > mostLetters) return [{ text: code, is: undefined }]
  const key = `${grammar}\0${code}`
  const known = kept.get(key)
  if (known) return known
  const pieces = joined(tokens(code, grammar))
  kept.set(key, pieces)
  return pieces
}

export interface Piece {
  text: string
  is: CodeClass | undefined
}

const mostLetters = 100_000
const longestLine = 2000

const kept = new LRUCache<string, Piece[]>({
  maxSize: 4_000_000,
  sizeCalculation: (pieces, key) => key.length + pieces.length * 16,
})

/** What is coloured, and by which names grammars call it. */
const scopes = {
  comment: ['comment', 'punctuation.definition.comment'],
  string: ['string', 'punctuation.definition.string', 'markup.inline.raw', 'meta.embedded.assembly'],
  number: [
    'constant.numeric',
    'constant.language',
    'constant.character',
    'constant.other',
    'support.constant',
  ],
  keyword: ['keyword', 'storage', 'variable.language', 'keyword.operator.expression', 'keyword.operator.new'],
  plain: [
    'meta.template.expression',
    'keyword.operator',
    'punctuation',
    'meta.brace',
    'storage.type.function.arrow',
  ],
  function: ['entity.name.function', 'support.function', 'meta.function-call.generic', 'variable.function'],
  type: ['entity.name.type', 'entity.name.class', 'entity.name.namespace', 'support.type', 'support.class'],
  tag: ['entity.name.tag', 'support.type.property-name', 'entity.name.section', 'markup.heading'],
  attribute: ['entity.other.attribute-name', 'variable.parameter', 'meta.object-literal.key'],
  inserted: ['markup.inserted'],
  deleted: ['markup.deleted'],
} as const satisfies Record<string, readonly string[]>

export type CodeClass = keyof typeof scopes
export const codeClasses = Object.keys(scopes).filter((name): name is CodeClass =>
  Object.hasOwn(scopes, name),
)

/** A theme has colours only: ours are numbers of classes. */
const colourOf = (place: number): string => `#${(place + 1).toString(16).padStart(6, '0')}`

const classOf = ({ color = '' }: ThemedToken): CodeClass | undefined => {
  const found = codeClasses[Number.parseInt(color.slice(1), 16) - 1]
  return found === 'plain' ? undefined : found
}

const theme = {
  name: 'classes',
  fg: '#ffffff',
  bg: '#000000',
  settings: [
    // without it, what has no class would get that of the word before
    { settings: { foreground: '#ffffff' } },
    ...codeClasses.map((name, place) => ({
      scope: [...scopes[name]],
      settings: { foreground: colourOf(place) },
    })),
  ],
}

function tokens(code: string, grammar: string): ThemedToken[][] {
  const highlighter = theHighlighter()
  if (!highlighter.getLoadedLanguages().includes(grammar)) highlighter.loadLanguageSync(loadGrammar(grammar))
  return highlighter.codeToTokensBase(code, {
    lang: grammar,
    theme: theme.name,
    tokenizeMaxLineLength: longestLine,
    // by the clock, a busy machine would give up on a line and colour all the rest like its last word
    tokenizeTimeLimit: 0,
  })
}

let highlighter: Core.HighlighterCore | undefined
function theHighlighter(): Core.HighlighterCore {
  const { createHighlighterCoreSync } = load('shiki/core')
  const { createJavaScriptRegexEngine } = load('shiki/engine/javascript')
  return (highlighter ??= createHighlighterCoreSync({
    themes: [theme],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  }))
}

interface Shiki {
  'shiki/core': typeof Core
  'shiki/engine/javascript': typeof Engine
}

// Bundlers would put every language into what pages load first, and `import()` cannot be had without waiting.
function load<Name extends keyof Shiki>(name: Name): Shiki[Name] {
  // the table above says what is found under which name
  return required(name) as Shiki[Name]
}

/** Every language is a module of the same shape. */
const loadGrammar = (grammar: string): LanguageRegistration[] =>
  (required(`shiki/langs/${grammar}.mjs`) as { default: LanguageRegistration[] }).default

function required(name: string): unknown {
  const { createRequire } = process.getBuiltinModule('node:module')
  return createRequire(import.meta.url)(name)
}

/** Lines hold their ends, so that all pieces together are the code. Neighbours of one kind are one. */
function joined(lines: readonly ThemedToken[][]): Piece[] {
  const pieces: Piece[] = []
  for (const [place, line] of lines.entries()) {
    for (const token of line)
      add(pieces, token.content, /\S/.test(token.content) ? classOf(token) : undefined)
    if (place < lines.length - 1) add(pieces, '\n', undefined)
  }
  return pieces
}

function add(pieces: Piece[], text: string, is: CodeClass | undefined): void {
  const last = pieces.at(-1)
  if (last && last.is === is) last.text += text
  else pieces.push({ text, is })
}

/** Grammars by name, each with what else people call the language. */
const languages = {
  javascript: 'js mjs cjs',
  typescript: 'ts mts cts',
  jsx: '',
  tsx: '',
  json: 'json5',
  jsonc: '',
  html: 'htm',
  css: '',
  scss: 'sass',
  vue: '',
  svelte: '',
  markdown: 'md mdx',
  yaml: 'yml',
  toml: '',
  xml: 'svg rss',
  shellscript: 'sh bash shell zsh',
  shellsession: 'console terminal',
  powershell: 'ps1',
  docker: 'dockerfile',
  nginx: '',
  sql: '',
  graphql: 'gql',
  python: 'py',
  ruby: 'rb',
  php: '',
  java: '',
  kotlin: 'kt',
  swift: '',
  go: 'golang',
  rust: 'rs',
  c: 'h',
  cpp: 'c++ cc hpp',
  csharp: 'c# cs',
  elixir: 'ex exs',
  haskell: 'hs',
  lua: '',
  r: '',
  dart: '',
  diff: 'patch',
  ini: 'conf env properties',
  http: '',
  prisma: '',
  make: 'makefile',
} as const

export const languageNames = Object.keys(languages)
const grammars = new Map(
  Object.entries(languages).flatMap(([grammar, others]) =>
    [grammar, ...others.split(' ').filter(Boolean)].map((name): [string, string] => [name, grammar]),
  ),
)
