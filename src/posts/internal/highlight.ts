import type * as Core from 'shiki/core'
import type * as Engine from 'shiki/engine/javascript'
import type { LanguageRegistration, ThemedToken } from 'shiki/types'
import { LRUCache } from 'lru-cache'
import { heapShare } from '#world/heap-share'

/**
 * Highlights code on the server, synchronously: a language is loaded on its first use. Tokens get one of a few
 * classes, which prose.css colours.
 */
export function highlight(code: string, language: string): CodeToken[] {
  const grammar = grammars.get(language.toLowerCase())
  if (!grammar || code.length > maxLetters) return [{ text: code, codeClass: undefined }]
  const key = `${grammar}\0${code}`
  const known = tokenCache.get(key)
  if (known) return known
  const codeTokens = mergeTokens(tokens(code, grammar))
  tokenCache.set(key, codeTokens)
  return codeTokens
}

export interface CodeToken {
  text: string
  codeClass: CodeClass | undefined
}

const maxLetters = 100_000
const maxLineLength = 2000

const tokenCache = new LRUCache<string, CodeToken[]>({
  maxSize: Math.min(4_000_000, heapShare(0.005)),
  sizeCalculation: (pieces, key) => key.length + pieces.length * 16,
})

/** The classes, and the scope names of grammars for each. */
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

type CodeClass = keyof typeof scopes
const codeClasses = Object.keys(scopes).filter((name): name is CodeClass => Object.hasOwn(scopes, name))

/** A theme contains only colours, so ours are numbers of classes. */
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
    // without it, text without a class would get that of the previous word
    { settings: { foreground: '#ffffff' } },
    ...codeClasses.map((name, place) => ({
      scope: [...scopes[name]],
      settings: { foreground: colourOf(place) },
    })),
  ],
}

function tokens(code: string, grammar: string): ThemedToken[][] {
  const highlighter = getHighlighter()
  if (!highlighter.getLoadedLanguages().includes(grammar)) highlighter.loadLanguageSync(loadGrammar(grammar))
  return highlighter.codeToTokensBase(code, {
    lang: grammar,
    theme: theme.name,
    tokenizeMaxLineLength: maxLineLength,
    // with a time limit, a busy machine would stop in the middle of a line
    tokenizeTimeLimit: 0,
  })
}

let highlighter: Core.HighlighterCore | undefined
function getHighlighter(): Core.HighlighterCore {
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

// Bundlers would add every language to the initial bundle, and `import()` is asynchronous.
function load<Name extends keyof Shiki>(name: Name): Shiki[Name] {
  // the table above declares the type of each module
  return requireModule(name) as Shiki[Name]
}

/** Every language module has the same shape. */
const loadGrammar = (grammar: string): LanguageRegistration[] =>
  (requireModule(`shiki/langs/${grammar}.mjs`) as { default: LanguageRegistration[] }).default

function requireModule(name: string): unknown {
  const { createRequire } = process.getBuiltinModule('node:module')
  return createRequire(import.meta.url)(name)
}

/**
 * Lines include their line breaks, so that all tokens together are the code. Adjacent tokens of one class are merged.
 */
function mergeTokens(lines: readonly ThemedToken[][]): CodeToken[] {
  const codeTokens: CodeToken[] = []
  for (const [place, line] of lines.entries()) {
    for (const token of line)
      appendToken(codeTokens, token.content, /\S/.test(token.content) ? classOf(token) : undefined)
    if (place < lines.length - 1) appendToken(codeTokens, '\n', undefined)
  }
  return codeTokens
}

function appendToken(codeTokens: CodeToken[], text: string, is: CodeClass | undefined): void {
  const last = codeTokens.at(-1)
  if (last && last.codeClass === is) last.text += text
  else codeTokens.push({ text, codeClass: is })
}

/** Grammars by name, with aliases of the language. */
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

const grammars = new Map(
  Object.entries(languages).flatMap(([grammar, others]) =>
    [grammar, ...others.split(' ').filter(Boolean)].map((name): [string, string] => [name, grammar]),
  ),
)
