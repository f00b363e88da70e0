import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type GlossaryTerm, glossary, type ReplacedPhrase, replacedPhrases } from './glossary'
import { expectPrintedTable, tableOf } from './printed-table'
import { codeIn, isObject, isTest } from './source-files'
import { type Program, programOf, textsIn } from './user-texts'
import { type BannedWord, bannedInComments, bannedInTexts, bannedTypeNames } from './words'

const root = resolve(import.meta.dirname, '..')

interface NamedType {
  name: string
  isExported: boolean
}

const paths = codeIn(root, 'src').filter(
  (path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts') && !isTest(path),
)
const code = paths.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
const parsed = code.map(({ path, text }) => ({ path, program: programOf(path, text) }))

const declarations = new Set(['TSInterfaceDeclaration', 'TSTypeAliasDeclaration', 'ClassDeclaration'])

/** The types and classes that a file declares at its top level. */
function typesIn(program: Program): NamedType[] {
  return program.body.flatMap((statement) => {
    const isExported = statement.type === 'ExportNamedDeclaration'
    const declaration: unknown = isExported ? statement.declaration : statement
    if (!isObject(declaration) || !declarations.has(String(declaration['type']))) return []
    const { id } = declaration
    return isObject(id) ? [{ name: String(id['name']), isExported }] : []
  })
}

const complaints = (path: string, text: string, banned: readonly BannedWord[]): string[] =>
  banned
    .filter(({ word, except = [] }) => word.test(text) && !except.some((folder) => path.startsWith(folder)))
    .map(({ word, instead }) => `${path}: “${text.trim().slice(0, 100)}” (${word.source}): write ${instead}`)

/** The code beside the product’s; this file quotes comments that break the rules. */
const otherCode = [
  'test',
  'bin',
  'tracker',
  'bench',
  'packages/next/src',
  'packages/react/src',
  'packages/site/src',
]
  .flatMap((folder) => codeIn(root, folder))
  .filter((path) => /\.(?:tsx?|js)$/.test(path) && path !== 'test/words.test.ts')
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

/** Comments by their marks; a `//` inside an address, or a `/*` inside a path, does not begin one. */
const commentsIn = (text: string): string[] =>
  text.match(/(?<=^|[\s{(])\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/gm) ?? []

const isSentence = (text: string): boolean => /\S\s+\S/.test(text)

/** The user documentation, line by line; the glossary itself names what it replaced. */
const pages = ['README.md', ...codeIn(root, 'docs')]
  .filter(
    (path) => path.endsWith('.md') && !path.startsWith('docs/decisions/') && path !== 'docs/glossary.md',
  )
  .map((path) => ({ path, texts: readFileSync(join(root, path), 'utf8').split('\n') }))

const userTexts = parsed.map(({ path, program }) => ({ path, texts: textsIn(program) }))

/** The texts that still have a phrase that was replaced. */
function replacedIn(files: ReadonlyArray<{ path: string; texts: readonly string[] }>): string[] {
  return files.flatMap(({ path, texts }) =>
    texts.flatMap((text) =>
      replacedPhrases
        .filter((phrase) => path.startsWith(phrase.within ?? '') && hasPhrase(text, phrase))
        .map(({ old, now }) => `${path}: “${text.slice(0, 100)}” (${old}): write ${now}`),
    ),
  )
}

const hasPhrase = (text: string, { old, isWhole }: ReplacedPhrase): boolean =>
  isWhole ? text === old : text.includes(old)

/** Labels that no text of the product has. A label may go on: “Time zone: UTC”, “At least N days”. */
function unusedLabels(labels: readonly string[], files: typeof userTexts): string[] {
  const texts = files.flatMap((file) => file.texts)
  return labels.filter((label) => !texts.some((text) => text.startsWith(label)))
}

test('there is something to read', () => {
  expect(code.length).toBeGreaterThan(500)
  expect(code.flatMap(({ text }) => commentsIn(text)).length).toBeGreaterThan(1000)
  expect(userTexts.flatMap(({ texts }) => texts.filter(isSentence)).length).toBeGreaterThan(1000)
})

test('an exported type has its name to itself', () => {
  const files = new Map<string, string[]>()
  for (const { path, program } of parsed) {
    for (const { name, isExported } of typesIn(program)) {
      if (isExported) files.set(name, [...(files.get(name) ?? []), path])
    }
  }
  expect([...files].filter(([, found]) => found.length > 1)).toEqual([])
})

test('types are named for what they hold', () => {
  const found = parsed.flatMap(({ path, program }) =>
    typesIn(program).flatMap(({ name }) => complaints(path, name, bannedTypeNames)),
  )
  expect(found).toEqual([])
})

test('comments name their subject', () => {
  expect(
    [...code, ...otherCode].flatMap(({ path, text }) =>
      commentsIn(text).flatMap((found) => complaints(path, found, bannedInComments)),
    ),
  ).toEqual([])
})

test('texts for users name who is meant', () => {
  const found = parsed.flatMap(({ path, program }) =>
    textsIn(program)
      .filter(isSentence)
      .flatMap((text) => complaints(path, text, bannedInTexts)),
  )
  expect(found).toEqual([])
})

describe('the glossary', () => {
  test('has no replaced phrase in a text for users', () => {
    expect(replacedIn(userTexts)).toEqual([])
  })

  test('has no replaced phrase in the documentation', () => {
    expect(replacedIn(pages)).toEqual([])
  })

  test('names labels that the product has', () => {
    const labels = [...glossary.map(({ term }) => term), ...replacedPhrases.map(({ now }) => now)]
    expect(unusedLabels(labels, userTexts)).toEqual([])
  })

  test('defines each term once', () => {
    const terms = glossary.map(({ term }) => term)
    expect(terms.filter((term, place) => terms.indexOf(term) !== place)).toEqual([])
  })

  test('is printed in docs/glossary.md', () => {
    const terms = glossary
      .toSorted(byTerm)
      .map(({ term, meaning, where, not = '' }) => [term, meaning, where, not])
    expectPrintedTable('terms', tableOf(['Term', 'Meaning', 'Where', 'Not'], terms), 'glossary.md')
    const phrases = replacedPhrases.map(({ old, now }) => [old, now])
    expectPrintedTable('replaced', tableOf(['Not', 'But'], phrases), 'glossary.md')
  })
})

const byTerm = (one: GlossaryTerm, other: GlossaryTerm): number => (one.term < other.term ? -1 : 1)

describe('the checks notice', () => {
  test.each(replacedPhrases)('“$old” in a text and in a page', ({ old, within = 'src/' }) => {
    const program = programOf('a.tsx', `export const a = <p title=${JSON.stringify(old)} />`)
    expect(replacedIn([{ path: `${within}/a.tsx`, texts: textsIn(program) }])).not.toEqual([])
  })

  test('a label that the product does not have', () => {
    expect(unusedLabels(['Interval', 'Fortnight picker'], userTexts)).toEqual(['Fortnight picker'])
    expect(unusedLabels(['Interval'], [])).toEqual(['Interval'])
  })

  test('a type that is declared twice or named for furniture', () => {
    const program = programOf('src/a.ts', 'export interface Ground {}\ntype Told = string')
    expect(typesIn(program)).toEqual([
      { name: 'Ground', isExported: true },
      { name: 'Told', isExported: false },
    ])
    expect(
      typesIn(program).flatMap(({ name }) => complaints('src/a.ts', name, bannedTypeNames)),
    ).toHaveLength(3)
  })

  test('a comment without a subject, and no address in a string', () => {
    const text = `/** Whoever asks. */\nconst a = 'https://nobody.example'\nconst b = 1 // said to nobody`
    const riddles = `/**\n * What a page asks.\n */\n// Where it leads`
    expect(commentsIn(text)).toEqual(['/** Whoever asks. */', '// said to nobody'])
    expect(
      commentsIn(`${text}\n${riddles}`).flatMap((found) => complaints('src/a.ts', found, bannedInComments)),
    ).toHaveLength(4)
  })

  test.each(['<p>Whoever has the link</p>', "'somebody did it'", '`${name} is somebody’s`'])(
    'a text in %s',
    (expression) => {
      const texts = textsIn(programOf('src/a.tsx', `export const a = ${expression}`))
      expect(texts.flatMap((text) => complaints('src/a.tsx', text, bannedInTexts))).toHaveLength(1)
    },
  )
})
