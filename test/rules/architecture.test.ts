import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  bannedFolders,
  closedToTypes,
  families,
  printedTable,
  type ModuleName,
  moduleNames,
  modules,
  tableMarkers,
} from './modules'
import { printedFamilies, printedPages, printedTokens } from './printed-lists'
import { expectPrintedTable } from './printed-table'
import { codeIn, type Import, isTest, moduleOf, type SourceFile, sources, sourcesIn } from './source-files'

const root = resolve(import.meta.dirname, '../..')
const project = sourcesIn(root)

/** Returns the problems of the files, one sentence each. */
type Rule = (files: readonly SourceFile[]) => string[]

interface Verdict {
  rule: string
  check: Rule
  /** A tree that breaks the rule, and the expected message; it proves that the rule can fail. */
  broken: { files: Record<string, string>; says: RegExp }[]
  kept: Record<string, string>
}

/** One sentence for each import of each file that the test objects to. */
function eachImport(
  files: readonly SourceFile[],
  objection: (file: SourceFile, found: Import) => string | undefined,
): string[] {
  return files.flatMap((file) =>
    file.imports.flatMap((found) => {
      const says = objection(file, found)
      return says === undefined ? [] : [`${file.path} imports ${found.specifier}: ${says}`]
    }),
  )
}

const withoutTests = (files: readonly SourceFile[]): SourceFile[] => files.filter(({ path }) => !isTest(path))

const everyFileHasAModule: Rule = (files) =>
  files
    .filter(({ path }) => moduleOf(path) === undefined)
    .map(
      ({ path }) =>
        `${path} belongs to no module: put it where its noun lives, or name its module in test/rules/modules.ts`,
    )

const importsFollowTheTable: Rule = (files) =>
  eachImport(withoutTests(files), ({ path }, { target, by }) => {
    const from = moduleOf(path)
    const to = target && moduleOf(target)
    if (!from || !target || !to || from === to || from === 'app') return undefined
    if (from === 'studio' && to !== 'app') return undefined
    if (by === 'type' && !closedToTypes.includes(from)) return undefined
    return mayImport(from, to, target)
      ? undefined
      : `${from} may not import ${to}${by === 'type' ? ', not even a type' : ''}`
  })

function mayImport(from: ModuleName, to: ModuleName, target: string): boolean {
  const { imports } = modules[from]
  if (typeof imports === 'string')
    return !pageModules.includes(from) && moduleNames.indexOf(to) < moduleNames.indexOf(from)
  const file = target.replace(/^src\//, '').replace(/\.tsx?$/, '')
  return imports.some((allowed) => allowed === to || allowed === file)
}

/** Routes and the site are in `app`, the parts of the studio's pages in `studio`. */
const pageModules: readonly (ModuleName | undefined)[] = ['app', 'studio']

const pagesHoldNoState: Rule = (files) => {
  const impure = impureFiles(files)
  return eachImport(withoutTests(files), ({ path }, { target, by }) => {
    if (!pageModules.includes(moduleOf(path)) || !target || by === 'type') return undefined
    const to = moduleOf(target)
    if (pageModules.includes(to) || to === 'ui' || to === undefined) return undefined
    if (runningModules.includes(to))
      return 'pages reach what is running through getProduct(), and know only its types'
    return impure.has(target)
      ? 'it leads to the engine or the store, which every page would get a copy of'
      : undefined
  })
}

/** Files from which a value import leads, over however many others, into a module that holds something open. */
function impureFiles(files: readonly SourceFile[]): ReadonlySet<string> {
  const impure = new Set(files.filter(({ path }) => holdsState(path)).map(({ path }) => path))
  for (let before = -1; before !== impure.size;) {
    before = impure.size
    for (const { path, imports } of files) {
      if (imports.some(({ target, by }) => by === 'value' && target && impure.has(target))) impure.add(path)
    }
  }
  return impure
}

/** The modules that run only in the front and in the pages' own process, beside Next. */
const runningModules: readonly ModuleName[] = ['http', 'site-serving', 'api', 'server', 'cli']

const holdsState = (path: string): boolean =>
  ['engine', 'store', ...runningModules].includes(moduleOf(path) ?? '') ||
  /^(?:store|stored-.+|query)\.tsx?$/.test(basename(path))

const drawingAsksNothing: Rule = (files) =>
  eachImport(withoutTests(files), ({ path }, { target }) => {
    if (!path.endsWith('.tsx') || !target) return undefined
    const asks =
      ['engine', 'store'].includes(moduleOf(target) ?? '') ||
      /^(?:store|stored-.+|query)\.ts$/.test(basename(target))
    return asks ? '.ts decides, .tsx draws: let it have the answer as a prop' : undefined
  })

const nextStaysInItsPlace: Rule = (files) =>
  eachImport(files, ({ path }, { specifier }) => {
    const isNext = specifier === 'next' || specifier.startsWith('next/')
    return isNext && !pageModules.includes(moduleOf(path)) && path !== 'src/server/internal/pages.ts'
      ? 'only pages know Next'
      : undefined
  })

/** Whether a file is private to its module. */
const isInternal = (path: string): boolean => path.split('/').includes('internal')

const internalFilesArePrivate: Rule = (files) =>
  eachImport(withoutTests(files), ({ path }, { target }) => {
    const to = target && moduleOf(target)
    return to && to !== moduleOf(path) && isInternal(target) ? `it is private to ${to}` : undefined
  })

/** Modules that are not imported for their parts: routes, pages, commands, scripts and the steps of migrations. */
const withoutPublicFiles: ReadonlySet<ModuleName | undefined> = new Set([
  'app',
  'studio',
  'cli',
  'tracker',
  'migrations/engine',
  'migrations/store',
])

/** Files that are imported across the border between two parts of the tree. */
function importedAcross(
  files: readonly SourceFile[],
  partOf: (path: string) => string | undefined,
): ReadonlySet<string> {
  return new Set(
    withoutTests(files).flatMap(({ path, imports }) =>
      imports.flatMap(({ target }) => (target && partOf(target) !== partOf(path) ? [target] : [])),
    ),
  )
}

/** One file may stand alone beside those that others import; two or more that only their own part imports are internal. */
const crowdedFolders = (paths: readonly string[]): string[] =>
  Object.values(Object.groupBy(paths, dirname)).flatMap((beside = []) =>
    beside.length > 1 ? [`${beside.join(', ')}: move them into a folder internal/`] : [],
  )

const privateFilesAreInternal: Rule = (files) => {
  const used = importedAcross(files, moduleOf)
  return crowdedFolders(
    withoutTests(files)
      .map(({ path }) => path)
      .filter(
        (path) =>
          !withoutPublicFiles.has(moduleOf(path)) &&
          !isInternal(path) &&
          !used.has(path) &&
          !isNamedByFamily(path),
      ),
  )
}

const internalFilesHaveCompany: Rule = (files) =>
  Object.values(
    Object.groupBy(
      withoutTests(files).filter(({ path }) => isInternal(path)),
      ({ path }) => path.slice(0, path.indexOf('/internal/')),
    ),
  ).flatMap((inside = []) =>
    inside.length === 1 ? inside.map(({ path }) => `${path} is alone in its folder: move it one up`) : [],
  )

/** The build of site folders copies the runtime as one folder. */
const hasFoldersInInternal = 'site-kit'

const internalIsOneLevel: Rule = (files) =>
  files
    .filter(({ path }) => /\/internal\/.*\//.test(path) && moduleOf(path) !== hasFoldersInInternal)
    .map(({ path }) => `${path} is in a folder below internal/: move it into internal/ itself`)

/** The member of a family that a file belongs to: its folder, its name, and the file's path in it. */
function memberOf(path: string) {
  for (const family of families) {
    const [name = '', ...rest] = path.startsWith(`${family.folder}/`)
      ? path.slice(family.folder.length + 1).split('/')
      : []
    if (rest.length > 0 && name !== 'internal')
      return { family, name, folder: `${family.folder}/${name}`, file: rest.join('/') }
  }
  return undefined
}

const namesIn = ({ has, mayHave = [] }: (typeof families)[number], name: string): string[] =>
  [...has, ...mayHave].map((file) => file.replace('<name>', name))

/** Whether a file is one that its family names. */
function isNamedByFamily(path: string): boolean {
  const member = memberOf(path)
  return member !== undefined && namesIn(member.family, member.name).includes(member.file)
}

const familiesKeepOneShape: Rule = (files) => {
  const used = importedAcross(files, (path) => memberOf(path)?.folder)
  const found = withoutTests(files).flatMap(({ path }) => memberOf(path) ?? [])
  const members = Object.values(Object.groupBy(found, ({ folder }) => folder))
  return members.flatMap((inside = []) => {
    const [{ family, name, folder } = {}] = inside
    if (!family || !name) return []
    const shared = namesIn(family, name)
    const own = inside.map(({ file }) => file).filter((file) => !shared.includes(file))
    return [
      ...shared
        .slice(0, family.has.length)
        .filter((file) => !inside.some((each) => each.file === file))
        .map((file) => `${folder} has no ${file}, as each folder in ${family.folder} has`),
      ...own
        .filter((file) => shared.includes(basename(file)))
        .map((file) => `${folder}/${file}: move it into ${folder}, where the others of its family have it`),
      ...crowdedFolders(
        own.map((file) => `${folder}/${file}`).filter((path) => !isInternal(path) && !used.has(path)),
      ),
    ]
  })
}

const foldersSayWhatTheyKnow: Rule = (files) =>
  files
    .filter(({ path }) =>
      path
        .split('/')
        .slice(1, -1)
        .some((folder) => bannedFolders.includes(folder)),
    )
    .map(({ path }) => `${path}: name the folder for what it knows`)

const pathsAreShort: Rule = (files) =>
  eachImport(files, (_, { specifier }) =>
    specifier.startsWith('../../../')
      ? 'no path climbs more than two folders: write #module/file'
      : undefined,
  )

const nothingOnlyPassesOn: Rule = (files) =>
  files
    .filter(
      ({ path, onlyPassesOn }) =>
        moduleOf(path) !== 'app' && (onlyPassesOn || /^index\.tsx?$/.test(basename(path))),
    )
    .map(({ path }) => `${path} only passes on what others made: import from those`)

const routesOnlyPassOn: Rule = (files) =>
  files
    .filter(({ path }) => path.startsWith('src/app/studio/'))
    .filter(({ onlyPassesOn, lines }) => !onlyPassesOn || lines > 5)
    .map(
      ({ path }) => `${path}: a route of the studio is at most five lines that export a page of src/studio`,
    )

/** Whether a file opens services: `open.ts` and `open-….ts`, except those that open a page. */
const opensServices = ({ path }: SourceFile): boolean =>
  /^open(?:-.+)?\.ts$/.test(basename(path)) && !pageModules.includes(moduleOf(path))

/** One role has one suffix: what says something in words is `words.ts`, or ends in `-words.ts`. */
const wordingHasOneSuffix: Rule = (files) =>
  files
    .filter(({ path }) => /-in-words(?:\.test)?\.tsx?$/.test(path))
    .map(({ path }) => `${path}: wording stands in a file that ends in -words`)

const dependenciesAreNamed: Rule = (files) =>
  withoutTests(files)
    .filter(opensServices)
    .flatMap(({ path, names, spreads }) => [
      ...Array.from(spreads, (name) => `${path} spreads ${name}: name each dependency`),
      ...(names.has('Object.assign')
        ? [`${path} adds fields with Object.assign: declare a class that extends the service`]
        : []),
    ])

const markup = [
  'dangerouslySetInnerHTML',
  'innerHTML',
  'outerHTML',
  'insertAdjacentHTML',
  'document.write',
  'document.writeln',
]

/**
 * Decision 24: these pass on HTML that React has rendered in the process of the site folder. Surveys are drawn by
 * `surveyHtml`, which escapes every text (`src/surveys/run/session.test.ts`); their descriptions are sanitized before. The
 * site’s script only reads the page’s own markup.
 */
const passOnHtml: readonly string[] = [
  'src/app/(site)/kit/KitHtml.tsx',
  'src/app/(site)/ProjectSurvey.tsx',
  'src/site-kit/internal/runtime/island-browser.tsx',
  'src/site-kit/internal/runtime/island-server.tsx',
  'src/surveys/run/mounted-survey.ts',
  'tracker/site/document.ts',
]

const textStaysText: Rule = (files) =>
  withoutTests(files.filter(({ path }) => !passOnHtml.includes(path))).flatMap(({ path, names }) =>
    markup
      .filter((name) => names.has(name))
      .map((name) => `${path} uses ${name}: draw it with React, which knows text from markup`),
  )

const verdicts: Verdict[] = [
  {
    rule: 'every file belongs to a module',
    check: everyFileHasAModule,
    broken: [{ files: { 'src/reports/report.ts': '' }, says: /belongs to no module/ }],
    kept: { 'src/flags/flag.ts': '', 'src/proxy.ts': '', 'src/instrumentation-client.ts': '' },
  },
  {
    rule: 'imports follow the table',
    check: importsFollowTheTable,
    broken: [
      { files: { 'src/engine/a.ts': `import { b } from '../flags/b'` }, says: /engine may not import flags/ },
      {
        files: { 'src/events/a.ts': `import { b } from '../engine/client'` },
        says: /events may not import engine/,
      },
      {
        files: { 'src/insights/a.ts': `export { b } from '../flags/b'` },
        says: /insights may not import flags/,
      },
      { files: { 'src/insights/a.ts': `await import('../flags/b')` }, says: /insights may not import flags/ },
      { files: { 'src/flags/a.ts': `import '../server/main'` }, says: /flags may not import server/ },
      { files: { 'src/server/a.ts': `import '../app/page'` }, says: /server may not import app/ },
      { files: { 'src/server/b.ts': `import '#app/page'` }, says: /server may not import app/ },
      { files: { 'src/server/c.ts': `import '#studio/paths'` }, says: /server may not import studio/ },
      { files: { 'src/studio/a.ts': `import '#app/page'` }, says: /studio may not import app/ },
      {
        files: { 'src/ui/a.tsx': `import type { Flag } from '../flags/flag'` },
        says: /ui may not import flags, not even/,
      },
      { files: { 'migrations/store/1.ts': `import '../../src/flags/flag'` }, says: /may not import flags/ },
    ],
    kept: {
      'src/events/a.ts': `import { sql } from '../engine/sql'`,
      'src/flags/a.ts': `import type { Answer } from '../insights/answer'; import { type Ask } from '../insights/ask'`,
      'src/server/a.ts': `import '../wire/dialects'; import '../../migrations/store/all'`,
      'src/app/page.tsx': `import { FlagsPage } from '#studio/flags/FlagsPage'`,
      'src/engine/a.test.ts': `import '../flags/b'`,
    },
  },
  {
    rule: 'pages hold no state',
    check: pagesHoldNoState,
    broken: [
      {
        files: {
          'src/app/page.tsx': `import { product } from '../server/product'`,
          'src/server/product.ts': '',
        },
        says: /getProduct/,
      },
      {
        files: {
          'src/studio/a.ts': `import { product } from '#server/product'`,
          'src/server/product.ts': '',
        },
        says: /getProduct/,
      },
      {
        files: {
          'src/app/page.tsx': `import { a } from '../flags/a'`,
          'src/flags/a.ts': `import { b } from './b'`,
          'src/flags/b.ts': `import { c } from '../store/c'`,
          'src/store/c.ts': '',
        },
        says: /leads to the engine or the store/,
      },
    ],
    kept: {
      'src/app/page.tsx': `import type { Product } from '../server/product'; import { a } from '../flags/a'; import '../ui/Button'`,
      'src/flags/a.ts': `import type { C } from '../store/c'`,
      'src/store/c.ts': '',
      'src/server/product.ts': '',
    },
  },
  {
    rule: 'what draws asks nothing',
    check: drawingAsksNothing,
    broken: [
      {
        files: { 'src/flags/A.tsx': `import { sql } from '../engine/sql'` },
        says: /let it have the answer as a prop/,
      },
      {
        files: { 'src/flags/A.tsx': `import type { Row } from './store'`, 'src/flags/store.ts': '' },
        says: /as a prop/,
      },
      {
        files: {
          'src/insights/kinds/A.tsx': `import { query } from './query'`,
          'src/insights/kinds/query.ts': '',
        },
        says: /as a prop/,
      },
    ],
    kept: {
      'src/flags/A.tsx': `import { decide } from './decide'`,
      'src/flags/a.ts': `import { row } from './store'`,
    },
  },
  {
    rule: 'Next stays in its place',
    check: nextStaysInItsPlace,
    broken: [
      { files: { 'src/flags/a.ts': `import { headers } from 'next/headers'` }, says: /only pages know Next/ },
      { files: { 'src/ui/A.tsx': `import type { Route } from 'next'` }, says: /only pages know Next/ },
    ],
    kept: {
      'src/app/a.ts': `import { headers } from 'next/headers'`,
      'src/server/internal/pages.ts': `import next from 'next'`,
      'src/pages/_app.tsx': `import 'next/app'`,
    },
  },
  {
    rule: 'internal files are private to their module',
    check: internalFilesArePrivate,
    broken: [
      { files: { 'src/server/a.ts': `import '../insights/internal/b'` }, says: /it is private to insights/ },
      { files: { 'src/cli/a.ts': `import type { B } from '#insights/kinds/internal/b'` }, says: /private/ },
    ],
    kept: {
      'src/insights/ask.ts': `import './internal/b'`,
      'src/server/a.ts': `import '#insights/ask'`,
      'src/insights/ask.test.ts': `import '#ui/chart/internal/ticks'`,
    },
  },
  {
    rule: 'two files of a folder that no other module imports are internal',
    check: privateFilesAreInternal,
    broken: [
      {
        files: { 'src/insights/ask.ts': '', 'src/insights/b.ts': `import './ask'` },
        says: /src\/insights\/ask.ts, src\/insights\/b.ts: move them into a folder internal/,
      },
      {
        files: {
          'src/insights/kinds/funnel/a.ts': '',
          'src/insights/kinds/funnel/b.ts': '',
          'src/insights/kinds/funnel/query.ts': '',
        },
        says: /a.ts, src\/insights\/kinds\/funnel\/b.ts: move/,
      },
    ],
    kept: {
      'src/insights/ask.ts': '',
      'src/insights/b.ts': `import './ask'; import './internal/c'`,
      'src/insights/internal/c.ts': '',
      'src/cli/a.ts': `import '#insights/ask'`,
      'src/insights/kinds/funnel/a.ts': '',
      'src/insights/kinds/funnel/funnel.ts': '',
      'src/insights/kinds/funnel/query.ts': '',
    },
  },
  {
    rule: 'no file is alone in a folder internal',
    check: internalFilesHaveCompany,
    broken: [
      {
        files: { 'src/insights/internal/b.ts': '', 'src/insights/internal/b.test.ts': `import './b'` },
        says: /src\/insights\/internal\/b.ts is alone/,
      },
    ],
    kept: {
      'src/insights/b.ts': '',
      'src/flags/internal/a.ts': '',
      'src/flags/internal/b.ts': '',
    },
  },
  {
    rule: 'a folder internal has no folders',
    check: internalIsOneLevel,
    broken: [
      { files: { 'src/insights/internal/a/b.ts': '' }, says: /b.ts is in a folder below internal/ },
      { files: { 'src/insights/internal/a/internal/b.ts': '' }, says: /b.ts is in a folder below internal/ },
    ],
    kept: { 'src/insights/a/internal/b.ts': '', 'src/site-kit/internal/runtime/a.ts': '' },
  },
  {
    rule: 'the folders of a family have one shape',
    check: familiesKeepOneShape,
    broken: [
      {
        files: { 'src/wire/umami/events.ts': '' },
        says: /src\/wire\/umami has no umami.ts, as each folder in src\/wire has/,
      },
      {
        files: { 'src/studio/surveys/kinds/date/Fields.tsx': '' },
        says: /src\/studio\/surveys\/kinds\/date has no result.ts/,
      },
      {
        files: { 'src/wire/umami/umami.ts': '', 'src/wire/umami/internal/events.ts': '' },
        says: /internal\/events.ts: move it into src\/wire\/umami/,
      },
      {
        files: {
          'src/wire/umami/umami.ts': '',
          'src/wire/umami/cache.ts': '',
          'src/wire/umami/names.ts': `import './cache'`,
        },
        says: /src\/wire\/umami\/cache.ts, src\/wire\/umami\/names.ts: move them/,
      },
    ],
    kept: {
      'src/wire/internal/uuid.ts': '',
      'src/wire/dialect.ts': '',
      'src/wire/umami/umami.ts': '',
      'src/wire/umami/events.ts': '',
      'src/wire/umami/cache.ts': '',
      'src/wire/umami/names.ts': '',
      'src/wire/umami/internal/bytes.ts': '',
      'src/visits/visits.ts': `import '#wire/umami/names'`,
    },
  },
  {
    rule: 'folders say what they know',
    check: foldersSayWhatTheyKnow,
    broken: bannedFolders.map((name) => ({
      files: { [`src/flags/${name}/a.ts`]: '' },
      says: /for what it knows/,
    })),
    kept: { 'src/flags/rollouts/a.ts': '' },
  },
  {
    rule: 'paths are short',
    check: pathsAreShort,
    broken: [
      {
        files: { 'src/flags/a/b/c.ts': `import '../../../insights/ask'` },
        says: /write #module\/file/,
      },
    ],
    kept: { 'src/flags/a/b/c.ts': `import '../../d'; import '#insights/ask'`, 'src/flags/d.ts': '' },
  },
  {
    rule: 'no file only passes on',
    check: nothingOnlyPassesOn,
    broken: [
      {
        files: { 'src/flags/all.ts': `export * from './a'; export { b } from './b'` },
        says: /only passes on/,
      },
      { files: { 'src/flags/index.ts': 'export const a = 1' }, says: /only passes on/ },
    ],
    kept: { 'src/flags/all.ts': `import { a } from './a'; export const all = [a]`, 'src/flags/empty.ts': '' },
  },
  {
    rule: 'routes of the studio only pass on',
    check: routesOnlyPassOn,
    broken: [
      {
        files: {
          'src/app/studio/page.tsx': `import { Home } from '#studio/Home'\nexport default () => <Home />`,
        },
        says: /at most five lines/,
      },
      {
        files: { 'src/app/studio/page.tsx': `export {\na,\nb,\nc,\nd,\n} from '#studio/Home'` },
        says: /at most five lines/,
      },
    ],
    kept: {
      'src/app/studio/error.tsx': `'use client'\n\nexport { FailedPage as default } from '#studio/shell/FailedPage'`,
      'src/app/(site)/page.tsx': `export default () => null`,
    },
  },
  {
    rule: 'wording has one suffix',
    check: wordingHasOneSuffix,
    broken: [{ files: { 'src/flags/change-in-words.ts': '' }, says: /ends in -words/ }],
    kept: { 'src/flags/change-words.ts': '', 'src/flags/words.ts': '' },
  },
  {
    rule: 'services are opened with dependencies by name',
    check: dependenciesAreNamed,
    broken: [
      {
        files: { 'src/flags/open.ts': `const parts = new Flags({ ...dependencies, definitions })` },
        says: /spreads dependencies: name each/,
      },
      {
        files: { 'src/flags/open-guards.ts': `const guards = new Guards({ engine, ...given.parts })` },
        says: /spreads given\.parts/,
      },
      {
        files: { 'src/flags/open.ts': `const services = Object.assign(flags, { definitions })` },
        says: /declare a class that extends/,
      },
    ],
    kept: {
      'src/flags/open.ts': `const flags = new Flags({ store, world }); const jobs = [...flags.jobs]`,
      'src/flags/flags.ts': `const changed = { ...flag, enabled: true }`,
      'src/studio/flags/open-flag.ts': `const shown = { ...flag, enabled: true }`,
    },
  },
  {
    rule: 'text stays text',
    check: textStaysText,
    broken: [
      {
        files: { 'src/ui/A.tsx': `export const A = () => <p dangerouslySetInnerHTML={{ __html: '' }} />` },
        says: /dangerously/,
      },
      { files: { 'src/ui/a.ts': `element.innerHTML = 'x'` }, says: /innerHTML/ },
      { files: { 'src/ui/a.ts': `element['outerHTML'] = 'x'` }, says: /outerHTML/ },
      { files: { 'src/ui/a.ts': `document.write('x')` }, says: /document\.write/ },
    ],
    kept: {
      'src/ui/a.ts': `// innerHTML is not used\nelement.textContent = document.title; clipboard.write(text)`,
    },
  },
]

describe.each(verdicts)('$rule', ({ check, broken, kept }) => {
  test('in this project', () => expect(check(project)).toEqual([]))

  test.each(broken)('and $says is said where it is not so', ({ files, says }) => {
    const messages = check(sources(files))
    expect(messages).toHaveLength(1)
    expect(messages[0]).toMatch(says)
  })

  test('and nothing is said where it is', () => expect(check(sources(kept))).toEqual([]))
})

test('there is something to look at', () => {
  expect(project.length).toBeGreaterThan(100)
  expect(project.flatMap(({ imports }) => imports).length).toBeGreaterThan(300)
})

describe('ARCHITECTURE.md prints the table', () => {
  test('as it is', () => {
    const file = join(root, 'ARCHITECTURE.md')
    expect(existsSync(file), 'ARCHITECTURE.md is missing').toBe(true)
    if (process.env['TILTH_PRINT_TABLES']) printTable(file)
    expect(tableIn(readFileSync(file, 'utf8'))).toBe(printedTable())
  })

  test('between two markers, and it is noticed when they are gone', () => {
    const { begin, end } = tableMarkers
    expect(tableIn(`before\n${begin}\n${printedTable()}\n${end}\nafter`)).toBe(printedTable())
    expect(() => tableIn('no table')).toThrow('ARCHITECTURE.md has no table between')
  })
})

test.each([
  ['studio pages', () => printedPages(project)],
  ['families', printedFamilies],
  ['tokens', printedTokens],
])('%s are listed in ARCHITECTURE.md', (section, printed) =>
  expectPrintedTable(section, printed(), '../ARCHITECTURE.md'),
)

test('the file that lists a family imports each of its members', () => {
  const missing = families.flatMap(({ folder, listedIn }) => {
    const list = project.find(({ path }) => path === `src/${listedIn}`)
    const listed = list?.imports.map(({ target = '' }) => dirname(target)) ?? []
    const members = project
      .map(({ path }) => memberOf(path))
      .filter((member) => member?.family.folder === folder)
    return [...new Set(members.map((member) => member?.folder ?? ''))].filter(
      (member) => !listed.includes(member),
    )
  })
  expect(missing).toEqual([])
})

/** Files that a text names by their path, with or without `src/`. */
const pathsIn = (text: string): string[] => [
  ...new Set(text.match(/(?<![\w/])(?:src\/)?[a-z][\w()-]*\/[\w()/.-]+\.(?:tsx?|css)\b/g)),
]

test('ARCHITECTURE.md names no file that does not exist', () => {
  const named = pathsIn(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8'))
  expect(named.length).toBeGreaterThan(30)
  expect(
    named.filter((path) => !existsSync(join(root, path)) && !existsSync(join(root, 'src', path))),
  ).toEqual([])
  expect(pathsIn('`server/gone.ts` → kinds/<kind>/query.ts')).toEqual(['server/gone.ts'])
})

/** Paths that stand for the files of a family, such as `kinds/<kind>/schema.ts`. */
const familyPathsIn = (text: string): string[] =>
  text.match(/(?:[\w-]+\/)+<(?:kind|vendor|name)>(?:[\w<>-]|[./](?=[\w<]))*\/?/g) ?? []

/** Whether a file stands at the path, from any folder, with the same name for the same placeholder. */
function standsForAFile(path: string, files: readonly string[]): boolean {
  const placeholders = new Set<string>()
  const pattern = path.replaceAll('.', '\\.').replaceAll(/<(\w+)>/g, (_, name: string) => {
    if (placeholders.has(name)) return `\\k<${name}>`
    placeholders.add(name)
    return `(?<${name}>[^/]+)`
  })
  const wanted = new RegExp(`(?:^|/)${pattern}${path.endsWith('/') ? '' : '(?:/|$)'}`)
  return files.some((file) => wanted.test(file))
}

test('a path with a placeholder stands for a file, in documents and in the code', () => {
  const code = codeIn(root, 'src')
  const texts = ['ARCHITECTURE.md', 'CONTRIBUTING.md', ...codeIn(root, 'docs'), ...code]
    .filter((path) => /\.(?:md|tsx?)$/.test(path))
    .map((path) => ({ path, named: familyPathsIn(readFileSync(join(root, path), 'utf8')) }))
  expect(texts.flatMap(({ named }) => named).length).toBeGreaterThan(3)
  const files = [...code, ...codeIn(root, 'test')]
  const without = (named: readonly string[]) => named.filter((path) => !standsForAFile(path, files))
  expect(texts.flatMap(({ path, named }) => without(named).map((gone) => `${path}: ${gone}`))).toEqual([])

  expect(
    without(
      familyPathsIn(
        '`insights/kinds/<kind>/gone.ts`, wire/<vendor>/<vendor>.ts. imports/sources/<vendor>/<name>.ts → gone/<name>/',
      ),
    ),
  ).toEqual(['insights/kinds/<kind>/gone.ts', 'gone/<name>/'])
  expect(without(['wire/<vendor>/x<vendor>.ts', 'src/wire/<vendor>/'])).toEqual([
    'wire/<vendor>/x<vendor>.ts',
  ])
})

test('every module of the table has files', () => {
  const found = new Set(project.map(({ path }) => moduleOf(path)))
  expect(moduleNames.filter((name) => !found.has(name))).toEqual([])
})

/** Writes the table between the markers; `TILTH_PRINT_TABLES=1` asks for it after a change of modules. */
function printTable(file: string): void {
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace(tableIn(text), printedTable()))
}

function tableIn(text: string): string {
  const { begin, end } = tableMarkers
  const [from, until] = [text.indexOf(begin), text.indexOf(end)]
  if (from < 0 || until < from) throw new Error(`ARCHITECTURE.md has no table between ${begin} and ${end}.`)
  return text.slice(from + begin.length, until).trim()
}
