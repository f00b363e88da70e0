import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { expectPrintedTable } from './printed-table'
import { isTest, type SourceFile, sources, sourcesIn } from './source-files'
import { type Feature, printedFeatures, studioFeatures } from './studio-features'

type Features = Readonly<Record<string, Feature>>

/** Returns the problems of the files, one sentence each. */
type Rule = (files: readonly SourceFile[], features: Features) => string[]

const folder = 'src/studio/'

/** The feature of a file below `src/studio`; undefined for the files beside the features, which all may import. */
const featureOf = (path: string): string | undefined =>
  path.startsWith(folder) && path.split('/').length > 3 ? path.split('/')[2] : undefined

const isOfStudio = (path: string): boolean => path.startsWith(folder)

/** Routes pass on pages of any feature. */
const isRoute = (path: string): boolean => path.startsWith('src/app/studio/')

interface Step {
  from: string
  to: string
}

/** Each import of a file of the studio by another one, types and `import()` too. */
const stepsIn = (files: readonly SourceFile[]): Step[] =>
  files
    .filter(({ path }) => !isTest(path))
    .flatMap(({ path, imports }) =>
      imports.flatMap(({ target }) =>
        target && isOfStudio(target) && !isRoute(path) ? [{ from: path, to: target }] : [],
      ),
    )

const everyFeatureIsListed: Rule = (files, features) => {
  const found = new Set(files.flatMap(({ path }) => featureOf(path) ?? []))
  return [
    ...[...found].filter((name) => !features[name]).map((name) => `${name} is missing in the table`),
    ...Object.keys(features)
      .filter((name) => !found.has(name))
      .map((name) => `${name} has no files`),
  ]
}

const importsFollowTheTable: Rule = (files, features) =>
  stepsIn(files).flatMap(({ from, to }) => {
    const [here, there] = [featureOf(from), featureOf(to)]
    if (!isOfStudio(from) || there === undefined || here === there) return []
    if (here === undefined) return [`${from} imports ${to}: a file beside the features imports none of them`]
    return features[here]?.imports.includes(there) ? [] : [`${from} imports ${to}: ${here} may not`]
  })

const permissionsAreUsed: Rule = (files, features) => {
  const used = new Set(stepsIn(files).map(({ from, to }) => `${featureOf(from)} ${featureOf(to)}`))
  return Object.entries(features).flatMap(([name, { imports }]) =>
    imports
      .filter((other) => !used.has(`${name} ${other}`))
      .map((other) => `${name} may import ${other}, and does not`),
  )
}

/** A feature imports only features above it in the table, so that no circle is possible. */
const theTableIsInOrder: Rule = (_, features) => {
  const names = Object.keys(features)
  return names.flatMap((name, index) =>
    (features[name]?.imports ?? [])
      .filter((other) => !names.slice(0, index).includes(other))
      .map((other) => `${name} imports ${other}, which is not above it`),
  )
}

const shownFilesAreNamed: Rule = (files, features) => {
  const used = new Set(
    stepsIn(files).flatMap(({ from, to }) =>
      featureOf(to) !== undefined && featureOf(from) !== featureOf(to) ? [nameOf(to)] : [],
    ),
  )
  const named = Object.entries(features).flatMap(([name, { shows }]) =>
    shows.map((file) => `${name}/${file}`),
  )
  return [
    ...[...used]
      .filter((file) => !named.includes(file))
      .map((file) => `${file} is imported by others, and not named as shown`),
    ...named
      .filter((file) => !used.has(file))
      .map((file) => `${file} is named as shown, and nothing else imports it`),
  ]
}

/** `flags/VariantName` */
const nameOf = (path: string): string => path.slice(folder.length).replace(/\.tsx?$/, '')

const noFilesInACircle: Rule = (files) => {
  const imports = new Map(
    files.map(({ path, imports: all }): [string, string[]] => [
      path,
      all.flatMap(({ target, by }) => (by === 'value' && target ? [target] : [])),
    ]),
  )
  return files
    .filter(({ path }) => /^src\/(?:app|studio)\//.test(path) && leadsTo(path, path, imports))
    .map(({ path }) => `${path} imports itself, by way of others`)
}

function leadsTo(
  from: string,
  wanted: string,
  imports: ReadonlyMap<string, readonly string[]>,
  seen = new Set<string>(),
): boolean {
  return (imports.get(from) ?? []).some((next) => {
    if (next === wanted) return true
    if (seen.has(next)) return false
    seen.add(next)
    return leadsTo(next, wanted, imports, seen)
  })
}

const mostMergedLines = 300

/** A small file that one other file imports is a part of that. Each kind of a thing has the same files as the others. */
const smallFilesAreParts: Rule = (files) =>
  files
    .filter(({ path, lines }) => lines <= 40 && featureOf(path) !== undefined && !isTest(path))
    .filter(({ path }) => !path.split('/').includes('kinds'))
    .flatMap((small) => {
      const importers = files.filter(({ imports }) => imports.some(({ target }) => target === small.path))
      const [importer] = importers
      if (!importer || importers.length > 1 || isTest(importer.path)) return []
      const isPart =
        featureOf(importer.path) === featureOf(small.path) &&
        importer.directive === small.directive &&
        !importer.imports.some(({ target, isLazy }) => isLazy && target === small.path) &&
        importer.lines + small.lines < mostMergedLines
      return isPart
        ? [`${small.path} is small, and only ${importer.path} imports it: make it a part of that`]
        : []
    })

interface Verdict {
  rule: string
  check: Rule
  /** A tree that breaks the rule, and the expected message; it proves that the rule can fail. */
  broken: { files: Record<string, string>; features?: Features; says: RegExp }[]
}

const feature = (imports: readonly string[], shows: readonly string[] = []): Feature => ({
  imports,
  shows,
  knows: '',
})

/** Two features as they should be: flags shows its badge to experiments. */
const example: Features = { flags: feature([], ['Badge']), experiments: feature(['flags']) }
const exampleFiles = {
  'src/studio/paths.ts': '',
  'src/studio/flags/Badge.tsx': `import '#studio/paths'`,
  'src/studio/experiments/Page.tsx': `import { Badge } from '#studio/flags/Badge'`,
  'src/app/studio/page.tsx': `export { Page as default } from '#studio/experiments/Page'`,
}

const verdicts: Verdict[] = [
  {
    rule: 'every feature is listed',
    check: everyFeatureIsListed,
    broken: [
      { files: { 'src/studio/surveys/a.ts': '' }, says: /surveys is missing/ },
      { files: {}, features: { ...example, surveys: feature([]) }, says: /surveys has no files/ },
    ],
  },
  {
    rule: 'imports follow the table',
    check: importsFollowTheTable,
    broken: [
      {
        files: { 'src/studio/flags/a.ts': `import type { A } from '#studio/experiments/Page'` },
        says: /flags may not/,
      },
      { files: { 'src/studio/flags/a.ts': `await import('../experiments/Page')` }, says: /flags may not/ },
      { files: { 'src/studio/paths.ts': `import './flags/Badge'` }, says: /beside the features/ },
    ],
  },
  {
    rule: 'every permission is used',
    check: permissionsAreUsed,
    broken: [{ files: { 'src/studio/experiments/Page.tsx': '' }, says: /experiments may import flags/ }],
  },
  {
    rule: 'no two features import each other',
    check: theTableIsInOrder,
    broken: [
      {
        files: {},
        features: { flags: feature(['experiments']), experiments: feature(['flags']) },
        says: /flags imports experiments/,
      },
    ],
  },
  {
    rule: 'each file that a feature shows is named and used',
    check: shownFilesAreNamed,
    broken: [
      {
        files: { 'src/studio/flags/a.ts': '', 'src/studio/experiments/b.ts': `import '#studio/flags/a'` },
        says: /flags\/a is imported by others/,
      },
      {
        files: {
          'src/studio/flags/a.ts': '',
          'src/app/(share)/page.tsx': `await import('#studio/flags/a')`,
        },
        says: /flags\/a is imported by others/,
      },
      { files: { 'src/studio/experiments/Page.tsx': '' }, says: /flags\/Badge is named as shown/ },
    ],
  },
  {
    rule: 'small files with one importer are parts of it',
    check: smallFilesAreParts,
    broken: [
      {
        files: { 'src/studio/flags/Badge.tsx': `import './tones'`, 'src/studio/flags/tones.ts': '' },
        says: /tones.ts is small, and only src\/studio\/flags\/Badge.tsx/,
      },
    ],
  },
  {
    rule: 'no files of pages import each other by value',
    check: noFilesInACircle,
    broken: [
      {
        files: {
          'src/studio/flags/a.ts': `import './b'`,
          'src/studio/flags/b.ts': `import './c'`,
          'src/studio/flags/c.ts': `import './a'`,
        },
        says: /flags\/b.ts imports itself/,
      },
      {
        files: { 'src/app/(site)/a.ts': `import './b'`, 'src/app/(site)/b.ts': `import './a'` },
        says: /\(site\)\/a.ts imports itself/,
      },
    ],
  },
]

test('a small file stays by itself where it has to', () => {
  const small = 'src/studio/flags/Part.tsx'
  const page = 'src/studio/flags/Page.tsx'
  const problems = (files: Record<string, string>): string[] =>
    smallFilesAreParts(sources({ [small]: '', ...files }), {})

  expect(problems({ [page]: `import './Part'` })).toHaveLength(1)
  expect(problems({ [page]: `import './Part'`, [small]: `'use client'\n` })).toEqual([])
  expect(problems({ [page]: `await import('./Part')` })).toEqual([])
  expect(problems({ [page]: `import './Part'${'\n'.repeat(300)}//` })).toEqual([])
  expect(problems({ [page]: `import './Part'`, 'src/studio/flags/b.ts': `import './Part'` })).toEqual([])
  expect(problems({ [page]: `import './Part'`, 'src/studio/flags/a.test.ts': `import './Part'` })).toEqual([])
})

const project = sourcesIn(resolve(import.meta.dirname, '../..'))

describe.each(verdicts)('$rule', ({ check, broken }) => {
  test('holds in the studio', () => expect(check(project, studioFeatures)).toEqual([]))

  test('holds in the example', () => expect(check(sources(exampleFiles), example)).toEqual([]))

  test.each(broken)('finds $says', ({ files, features = example, says }) => {
    const found = check(sources({ ...exampleFiles, ...files }), features)
    expect(found.join('\n')).toMatch(says)
  })
})

test('ARCHITECTURE.md has the table', () =>
  expectPrintedTable('studio features', printedFeatures(), '../ARCHITECTURE.md'))
