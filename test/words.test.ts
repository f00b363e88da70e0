import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseAst } from 'vitest/node'
import { codeIn, everyNode, isObject, isTest } from './source-files'
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

function programOf(path: string, text: string) {
  return parseAst(text, { lang: path.endsWith('.tsx') ? 'tsx' : 'ts' }, path)
}

const declarations = new Set(['TSInterfaceDeclaration', 'TSTypeAliasDeclaration', 'ClassDeclaration'])

/** The types and classes that a file declares at its top level. */
function typesIn(program: ReturnType<typeof programOf>): NamedType[] {
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
    .filter(({ word }) => word.test(text))
    .map(({ word, instead }) => `${path}: “${text.trim().slice(0, 100)}” (${word.source}): write ${instead}`)

/** Comments by their marks; a `//` inside an address in a string does not begin one. */
const commentsIn = (text: string): string[] => text.match(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/gm) ?? []

/** Strings of more than one word and texts between tags: what a user, an operator or an API client may read. */
function textsIn(program: ReturnType<typeof programOf>): string[] {
  const texts: string[] = []
  for (const node of everyNode(program)) {
    if (node.type === 'Literal' || node.type === 'JSXText') texts.push(String(node['value']))
    const { value } = node
    if (node.type === 'TemplateElement' && isObject(value)) texts.push(String(value['cooked']))
  }
  return texts.filter((text) => /\S\s+\S/.test(text))
}

test('there is something to read', () => {
  expect(code.length).toBeGreaterThan(500)
  expect(code.flatMap(({ text }) => commentsIn(text)).length).toBeGreaterThan(1000)
  expect(parsed.flatMap(({ program }) => textsIn(program)).length).toBeGreaterThan(1000)
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
    code.flatMap(({ path, text }) =>
      commentsIn(text).flatMap((found) => complaints(path, found, bannedInComments)),
    ),
  ).toEqual([])
})

test('texts for users name who is meant', () => {
  const found = parsed.flatMap(({ path, program }) =>
    textsIn(program).flatMap((text) => complaints(path, text, bannedInTexts)),
  )
  expect(found).toEqual([])
})

describe('the checks notice', () => {
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
    expect(commentsIn(text)).toEqual(['/** Whoever asks. */', '// said to nobody'])
    expect(commentsIn(text).flatMap((found) => complaints('src/a.ts', found, bannedInComments))).toHaveLength(
      2,
    )
  })

  test.each(['<p>Whoever has the link</p>', "'somebody did it'", '`${name} is somebody’s`'])(
    'a text in %s',
    (expression) => {
      const texts = textsIn(programOf('src/a.tsx', `export const a = ${expression}`))
      expect(texts.flatMap((text) => complaints('src/a.tsx', text, bannedInTexts))).toHaveLength(1)
    },
  )
})
