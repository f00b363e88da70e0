import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type GlossaryTerm, glossary, type ReplacedPhrase, replacedPhrases } from './glossary'
import { expectPrintedTable, tableOf } from './printed-table'
import { codeIn, everyNode, isObject, isTest, type SyntaxNode } from './source-files'
import { type Program, programOf, textsIn } from './user-texts'
import {
  bannedIdentifiers,
  bannedInComments,
  bannedInTexts,
  bannedTypeNames,
  type BannedWord,
  errorName,
} from './words'

const root = resolve(import.meta.dirname, '../..')

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

/** All code of the repository: the product with its tests, and the programs and packages beside it. */
const everyFolder = ['src', 'migrations', 'test', 'bench', 'tracker', 'bin', 'packages']
const everyPath = everyFolder.flatMap((folder) =>
  codeIn(root, folder).filter(
    (path) => /\.(?:tsx?|js)$/.test(path) && !/\.d\.ts$|^packages\/\w+\/(?!src\/)/.test(path),
  ),
)
const everyProgram = everyPath.map((path) => {
  const text = readFileSync(join(root, path), 'utf8')
  return { path, text, program: programOf(path, text) }
})

interface DeclaredName {
  name: string
  isField: boolean
}

const fieldNodes = new Set([
  'TSPropertySignature',
  'TSMethodSignature',
  'PropertyDefinition',
  'MethodDefinition',
  'TSParameterProperty',
])
const namedNodes = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ClassDeclaration',
  'TSInterfaceDeclaration',
  'TSTypeAliasDeclaration',
])

/** The names that a file declares: fields, locals, parameters, functions, types. */
function declaredIn(program: Program): DeclaredName[] {
  return [...everyNode(program)].flatMap((node) => {
    if (fieldNodes.has(node.type)) return nameOf(node['key'], true)
    if (node.type === 'VariableDeclarator') return namesBound(node['id'])
    const params = Array.isArray(node['params']) ? node['params'].flatMap(namesBound) : []
    return namedNodes.has(node.type) ? [...nameOf(node['id'], false), ...params] : params
  })
}

const nameOf = (node: unknown, isField: boolean): DeclaredName[] =>
  isObject(node) && node['type'] === 'Identifier' ? [{ name: String(node['name']), isField }] : []

/** The names in a pattern. One that is a field's name at the same time, `{ a }`, is the field's. */
function namesBound(pattern: unknown): DeclaredName[] {
  if (!isObject(pattern)) return []
  const { type, properties, elements, left, argument, value, shorthand, parameter } = pattern
  if (type === 'Property') return shorthand === true ? [] : namesBound(value)
  if (type === 'Identifier') return nameOf(pattern, false)
  const inner = [properties, elements].flatMap((list) => (Array.isArray(list) ? list : []))
  return [...inner, left, argument, parameter].flatMap(namesBound)
}

/** The lower-case words of a name. */
const wordsOf = (name: string): string[] =>
  name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g)?.map((word) => word.toLowerCase()) ?? []

function badIdentifiers(path: string, program: Program, text: string): string[] {
  const banned = bannedIdentifiers.filter(
    ({ exceptAbout }) => !exceptAbout?.test(path) && !exceptAbout?.test(text),
  )
  return declaredIn(program).flatMap(({ name, isField }) =>
    banned
      .filter(
        ({ words, isInData }) => !(isField && isInData) && wordsOf(name).some((word) => words.includes(word)),
      )
      .map(({ instead }) => `${path}: ${name}: write ${instead}`),
  )
}

/** What is wrong with the classes of errors: the class and its `name` are the same word, which ends in Error. */
function badErrors(path: string, program: Program): string[] {
  return [...everyNode(program)].filter(isErrorClass).flatMap((node) => {
    const [{ name } = { name: '' }] = nameOf(node['id'], false)
    const given = [...everyNode(node['body'])].map(nameGiven).find((text) => text !== undefined)
    return [
      ...(errorName.test(name) ? [] : [`${path}: ${name}: let it end in Error`]),
      ...(given === undefined || given === name ? [] : [`${path}: ${name} is called ${given}`]),
    ]
  })
}

/** A class that extends Error, or another class of errors. */
function isErrorClass(node: SyntaxNode): boolean {
  const { superClass } = node
  const [parent] = isObject(superClass) ? nameOf(superClass, false) : []
  return node.type === 'ClassDeclaration' && parent !== undefined && errorName.test(parent.name)
}

/** The text of `name = '…'` as a field, or of `this.name = '…'`. */
function nameGiven(node: SyntaxNode): string | undefined {
  const { type, key, value, left, right } = node
  const target = type === 'PropertyDefinition' ? key : isObject(left) ? left['property'] : undefined
  const text = type === 'PropertyDefinition' ? value : right
  const isName = isObject(target) && target['name'] === 'name'
  return isName && isObject(text) && typeof text['value'] === 'string' ? text['value'] : undefined
}

/** The names of states and setters of `useState` that do not belong together: `[draft, setDraft]`, `[isOpen, setOpen]`. */
const badSetters = (path: string, program: Program): string[] =>
  [...everyNode(program)].filter(isStatePair).flatMap(({ id }) => {
    const [state = '', setter = ''] = namesBound(id).map(({ name }) => name)
    const names = [state, state.replace(/^(?:is|has)(?=[A-Z])/, '')].map(
      (name) => `set${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    )
    return names.includes(setter) ? [] : [`${path}: ${setter} sets ${state}: write ${names[0]}`]
  })

/** `const [state, setState] = useState(…)`. One whose state is taken apart has no name to compare. */
function isStatePair({ type, id, init }: SyntaxNode): boolean {
  if (type !== 'VariableDeclarator' || !isObject(id) || !isObject(init)) return false
  const elements = Array.isArray(id['elements']) ? id['elements'] : []
  const isPair = elements.length === 2 && elements.every((element) => nameOf(element, false).length === 1)
  return isPair && nameOf(init['callee'], false).some(({ name }) => name === 'useState')
}

/** The words of tests' titles, and what they are written with. */
function titlesIn(program: Program): string[] {
  return [...everyNode(program)].flatMap((node) => {
    if (node.type !== 'CallExpression' || !isTestCall(node['callee'])) return []
    const [title] = Array.isArray(node['arguments']) ? node['arguments'] : []
    return isObject(title) && typeof title['value'] === 'string' ? [title['value']] : []
  })
}

/** `test`, `describe`, and what is called on them: `test.each(…)`. */
function isTestCall(callee: unknown): boolean {
  if (!isObject(callee)) return false
  if (callee['type'] === 'Identifier') return ['test', 'describe'].includes(String(callee['name']))
  return isTestCall(callee['object'] ?? callee['callee'])
}

const complaints = (path: string, text: string, banned: readonly BannedWord[]): string[] =>
  banned
    .filter(
      ({ word, within = '', except = [] }) =>
        word.test(text) && path.startsWith(within) && !except.some((folder) => path.startsWith(folder)),
    )
    .map(({ word, instead }) => `${path}: “${text.trim().slice(0, 100)}” (${word.source}): write ${instead}`)

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

test('fields, locals, parameters and functions are named for what they hold', () => {
  expect(everyProgram.flatMap(({ path, program, text }) => badIdentifiers(path, program, text))).toEqual([])
})

test('errors end in Error and are called what their class is', () => {
  expect(everyProgram.flatMap(({ path, program }) => badErrors(path, program))).toEqual([])
})

test('setters are named after their state', () => {
  expect(everyProgram.flatMap(({ path, program }) => badSetters(path, program))).toEqual([])
})

test('titles of tests name who is meant', () => {
  const bad = everyProgram.flatMap(({ path, program }) =>
    titlesIn(program).flatMap((title) => complaints(path, title, bannedInTexts)),
  )
  expect(bad).toEqual([])
})

test('comments name their subject', () => {
  expect(
    everyProgram
      // this file quotes comments that break the rules
      .filter(({ path }) => path !== 'test/rules/words.test.ts')
      .flatMap(({ path, text }) =>
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

/** Plurals that are made by hand: `count === 1 ? '1 flag' : …flags`, `flag${count === 1 ? '' : 's'}`. */
const handMadePlurals = (text: string): string[] =>
  text.match(
    /=== 1 \? ['`](?:(?:1 |[Oo]ne )?(\w+)\b[^'`]*['`] : ['`][^'`]*\b\1s\b|['`] : ['`]s['`])|=== 1 \? 'person' :/g,
  ) ?? []

test('pages write plurals by plural() or pluralWord()', () => {
  const pagesOfStudio = code.filter(
    ({ path }) =>
      /^src\/(?:studio|ui)\//.test(path) && !/^src\/studio\/(?:settings|posts\/letters)\//.test(path),
  )
  expect(
    pagesOfStudio.flatMap(({ path, text }) => handMadePlurals(text).map((found) => `${path}: ${found}`)),
  ).toEqual([])
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

  test.each([
    "total === 1 ? '1 flag' : `${total} flags`",
    "count === 1 ? 'flag' : 'flags'",
    "`flag${count === 1 ? '' : 's'}`",
    "lines === 1 ? 'One change' : `${lines} changes`",
    "total === 1 ? 'person' : 'people'",
  ])('a plural that is made by hand: %s', (text) => {
    expect(handMadePlurals(text)).toHaveLength(1)
  })

  test('a word that one folder does without', () => {
    const found = (path: string) => complaints(path, '12 persons match', bannedInTexts)
    expect(found('src/studio/flags/a.tsx')).toHaveLength(1)
    expect(found('src/api/a.ts')).toEqual([])
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

  test.each([
    ['const theDesk = 1', 1],
    ['function a(room: string, { happening: matcher }: B) {}', 1],
    ['const [{ a: fate }, ...deeds] = b', 2],
    ['interface A { happening: B; saidAt: Date }', 1],
    ['class A { private door = 1; said() {} }', 2],
    ['const a = ({ happening }: B) => (happening: C) => happening', 1],
    ['const whole = mushroom(background)', 0],
    ['const question = insight.question; const withQuestions = (a: { question: object }) => a', 2],
    ['const { question } = insight; const queryText = textOf(question)', 0],
    ['const question: SurveyQuestion = content.questions[0]', 0],
  ])('names in `%s`', (text, count) => {
    expect(badIdentifiers('src/a.ts', programOf('src/a.ts', text), text)).toHaveLength(count)
  })

  test.each([
    ['class StoreBusy extends Error {}', 1],
    [`class StoreError extends Error { override readonly name = 'StoreBusy' }`, 1],
    [`class StoreError extends Error { constructor() { super(); this.name = 'Store' } }`, 1],
    [`class BusyError extends StoreError { override readonly name = 'BusyError' }`, 0],
    ['class Store extends Base {}', 0],
  ])('errors in `%s`', (text, count) => {
    expect(badErrors('src/a.ts', programOf('src/a.ts', text))).toHaveLength(count)
  })

  test.each([
    ['const [draft, setAsked] = useState(value)', 1],
    ['const [shown, show] = useState<Layer>()', 1],
    ['const [isOpen, setClosed] = useState(false)', 1],
    ['const [isOpen, setOpen] = useState(false), [hasFailed, setHasFailed] = useState(false)', 0],
    ['const [{ errors }, setSorted] = useState(none); const [first] = useState(1)', 0],
  ])('setters in `%s`', (text, count) => {
    expect(badSetters('src/a.tsx', programOf('src/a.tsx', text))).toHaveLength(count)
  })

  test.each([`test('nobody asks', f)`, `test.each([])('%s for whoever', f)`, `describe('somebody', f)`])(
    'a title in %s',
    (text) => {
      const titles = titlesIn(programOf('a.ts', text))
      expect(titles.flatMap((title) => complaints('a.ts', title, bannedInTexts))).toHaveLength(1)
    },
  )

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
