import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { deepParts } from '../../bin/deep-tests'
import { projectViews, viewNames } from '#engine/project-views'
import { endpoints as posthogEndpoints } from '#api/posthog/internal/endpoints'
import { operatorNames } from '#filters/vocabulary'
import { earlierNames, kindNames, kinds } from '#insights/internal/kinds'
import { commandLine } from '#cli/command-line'
import { settingNames } from '#server/config'
import { createDialects } from '#wire/dialects'
import { productFaults } from '../deep/crashlab/product-faults'
import { expectPrintedTable } from './printed-table'

const root = resolve(import.meta.dirname, '../..')
const page = (name: string): string => readFileSync(join(root, 'docs', name), 'utf8')

/** The first cells of the rows of a page's tables. */
const rows = (text: string, named: RegExp): string[] =>
  Array.from(text.matchAll(new RegExp(`^\\| \`${named.source}\` \\|`, 'gm')), ([, name = '']) => name).sort()

const sorted = (names: readonly string[]): string[] => names.toSorted((one, other) => (one < other ? -1 : 1))

test('docs/settings.md explains every setting and no other', () => {
  expect(rows(page('settings.md'), /([A-Z\d_]+)/)).toEqual(sorted(settingNames))
})

test('docs/commands.md explains every command and no other', () => {
  const tilth = commandLine({ root, programs: join(root, 'dist') }, '0.0.0')
  expect(rows(page('commands.md'), /tilth ([a-z-]+)/)).toEqual(
    sorted(tilth.commands.map((command) => command.name())),
  )
})

const pageOfDialect = (name: string): string => `sdk-${name === 'ofrep' ? 'openfeature' : name}.md`

test.each(createDialects(root).map(({ name }) => name))('the dialect %s has a page of its own', (name) => {
  if (name !== 'ofrep') expect(page('collection.md')).toContain(`(${pageOfDialect(name)})`)
  expect(page(pageOfDialect(name)).length).toBeGreaterThan(500)
})

test('docs/posthog.md lists every address of PostHog’s API that Tilth answers', () => {
  const named = new Set(page('posthog.md').match(/\/[a-z_@{}/]+(?=[`, ])/g))
  const lists = posthogEndpoints
    .map(({ path }) => path)
    .filter((path) => !path.endsWith('}') || path.split('/').length < 4)
  expect(lists.filter((path) => !named.has(path))).toEqual([])
})

test('docs/questions.md says of every kind what it answers', () => {
  const told = kindNames.map((kind) => {
    const before = Object.keys(earlierNames).filter((name) => earlierNames[name] === kind)
    const names = before.map((name) => ` \`${name}\` before.`).join('')
    return `| \`${kind}\` | ${kinds[kind].about}${names} |`
  })
  expectPrintedTable('kinds', ['| kind | answers |', '|---|---|', ...told].join('\n'), 'questions.md')
})

test('docs/questions.md explains every operator, and no other', () => {
  const text = page('questions.md')
  const under = (heading: string) => text.split(`## ${heading}`)[1]?.split('\n## ')[0] ?? ''
  expect(rows(under('Filters'), /([a-z_]+)/)).toEqual(sorted(operatorNames))
})

test.each(viewNames)('docs/sql.md says of every column of %s what it is', (view) => {
  const [, section = ''] = page('sql.md').split(`### ${view}\n`)
  const [table = ''] = section.split('\n##')
  const told = table.split('\n').filter((line) => line.startsWith('| `'))
  const { about, columns } = projectViews[view]
  expect(told).toEqual(
    Object.entries(columns).map(([name, column]) => `| \`${name}\` | ${column.type} | ${column.about} |`),
  )
  expect(table).toContain(about.replace(/\.$/, ''))
})

test('no page names a setting that does not exist', () => {
  const named = ['settings.md', 'commands.md'].flatMap(
    (name) => page(name).match(/\bTILTH_[A-Z\d_]*[A-Z\d]\b/g) ?? [],
  )
  expect(named.filter((name) => !settingNames.some((setting) => setting === name))).toEqual([])
})

test('files for containers set nothing that does not exist, and docs/scaling.md names each', () => {
  const deploy = readdirSync(join(root, 'deploy')).map((name) => `deploy/${name}`)
  expect(deploy.filter((file) => !page('scaling.md').includes(`](../${file})`))).toEqual([])
  for (const file of ['compose.yaml', 'compose.cluster.yaml', ...deploy]) {
    const text = readFileSync(join(root, file), 'utf8')
    // `!reset` is of Compose alone
    const documents = parseAllDocuments(text, { merge: true, logLevel: 'silent' })
    expect(documents.flatMap(({ errors }) => errors)).toEqual([])
    const set = [...text.matchAll(/(?:^\s*|name: )(TILTH_[A-Z_]+)(?::|,|$)/gm)].map(([, name = '']) => name)
    expect(set).not.toEqual([])
    expect(set.filter((name) => !settingNames.some((setting) => setting === name))).toEqual([])
    const paths = [...text.matchAll(/\/_tilth\/\w+/g)].map(([path]) => path)
    expect(paths.filter((path) => !page('operations.md').includes(`| \`${path}\` |`))).toEqual([])
  }
})

test('a row that is missing and a row too many would be seen', () => {
  expect(rows('| `PORT` | x |\n| `NOT_A_SETTING` | y |', /([A-Z\d_]+)/)).toEqual(['NOT_A_SETTING', 'PORT'])
})

/** Commands in a page that could not be given: no such script, bench, test file, fault or option. */
function impossibleCommands(text: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const commands = Array.from(text.matchAll(/`(npm (?:run )?([a-z:]+)(?: -- ([^`]+))?)`/g))
  return commands
    .filter(([, , script = '', words = '']) => !(script in scripts) || !isPossible(script, words))
    .map(([, command = '']) => command)
}

const checks = ['types', 'lint', 'format', 'unit', 'contract', 'journeys']
const faultNames = productFaults.map(({ name }) => name)
const startOptions = commandLine({ root, programs: join(root, 'dist') }, '0.0.0')
  .commands.find((command) => command.name() === 'start')
  ?.options.map(({ long }) => long)

function isPossible(script: string, words: string): boolean {
  if (script === 'bench') return existsSync(join(root, `bench/${words}.bench.ts`))
  if (script === 'test')
    return (
      words === '' || checks.includes(words) || (words.includes('.test.') && existsSync(join(root, words)))
    )
  const options = words.match(/--[a-z]+/g) ?? []
  if (script === 'start') return options.every((option) => startOptions?.includes(option))
  const [, part = ''] = /^([a-z]+)/.exec(words) ?? []
  const faults = Array.from(words.matchAll(/--fault '([^']+)'/g), ([, name = '']) => name)
  return (
    (part === '' || deepParts.some(({ name }) => name === part)) &&
    options.every((option) => deepOptions.includes(option)) &&
    faults.every((name) => part === 'crashlab' && faultNames.includes(name))
  )
}

const deepOptions = ['--minutes', '--seed', '--fault']

test('docs/promises.md has P1 to P25, each with its figure and commands that exist', () => {
  const text = page('promises.md')
  const cells = Array.from(text.matchAll(/^\| (P\d+) \|(.+)\|$/gm), ([, number, rest = '']) => ({
    number,
    cells: rest.split(' | ').filter((cell) => cell.trim() !== '').length,
  }))
  expect(cells).toEqual(Array.from({ length: 25 }, (_, i) => ({ number: `P${i + 1}`, cells: 3 })))
  expect(text.match(/`npm /g)?.length).toBeGreaterThan(20)
  expect(impossibleCommands(text)).toEqual([])
})

/** The row of a decision in the index of decisions: its number, title and state. */
function decisionRow(file: string, text: string): string {
  const [, title = ''] = text.match(/^# (?:\d+\.? )?(.+)/) ?? []
  const [, how = '', by, where] =
    text.match(/^\*\*((?:Partly r|R)eplaced) by \[decision (\d+)\]\((.+?)\)\*\*/m) ?? []
  const state = by ? `${how.toLowerCase()} by [${by}](${where})` : 'in force'
  return `| ${Number(file.slice(0, 4))} | [${title}](${file}) | ${state} |`
}

test('docs/decisions/README.md lists every decision once, with its state', () => {
  const files = readdirSync(join(root, 'docs/decisions')).filter((file) => /^\d{4}-/.test(file))
  const listed = page('decisions/README.md').match(/^\| \d+ \|.*$/gm) ?? []
  const decisions = files.map((file) => decisionRow(file, page(`decisions/${file}`)))

  expect(sorted(listed)).toEqual(sorted(decisions))
  expect(decisionRow('0007-a.md', '# 7. A\n\n**Partly replaced by [decision 9](0009-b.md)**: b.')).toBe(
    '| 7 | [A](0007-a.md) | partly replaced by [9](0009-b.md) |',
  )
})

test('SECURITY.md names tests and commands that exist', () => {
  const text = readFileSync(join(root, 'SECURITY.md'), 'utf8')
  const files = Array.from(text.matchAll(/`((?:src|test)\/[^`]+)`/g), ([, file = '']) => file)
  expect(files.length).toBeGreaterThan(20)
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
  expect(impossibleCommands(text)).toEqual([])
})

test('a command that does not exist would be seen', () => {
  const commands = ['npm run nothing', 'npm run bench -- nothing', 'npm test -- src/nothing.test.ts']
  const more = [
    "npm run test:deep -- crashlab --fault 'no fault'",
    'npm run test:deep -- fuzz --hours 3',
    'npm run test:deep -- sleep',
  ]
  const text = [...commands, ...more].map((command) => `\`${command}\``).join(', ')
  expect(impossibleCommands(text)).toEqual([...commands, ...more])
})
