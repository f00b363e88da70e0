import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The modules that each module may import, by value. The order is from the ground up. `ARCHITECTURE.md` prints this table and
 * `architecture.test.ts` holds every file to it. An entry with a slash is that one file and no other.
 */
export const modules = {
  processes: { imports: [], knows: 'how a child process is kept alive' },
  world: {
    imports: [],
    knows:
      'the clock, chance, the heap, turns of the event loop, limits of concurrent work and folders that change',
  },
  engine: { imports: ['processes', 'migrations/engine', 'world'], knows: 'where events live' },
  store: { imports: ['migrations/store', 'world'], knows: 'where everything else lives' },
  'migrations/engine': { imports: ['engine/sql'], knows: 'the history of the engine’s tables' },
  'migrations/store': { imports: [], knows: 'the history of the store’s tables' },
  jobs: { imports: ['store', 'world'], knows: 'work on a schedule, on one front or on each' },
  statistics: { imports: [], knows: 'estimates, tests and intervals, from sufficient statistics' },
  outbound: { imports: ['world'], knows: 'how Tilth reaches out, and where it never does' },
  dispatch: {
    imports: ['outbound', 'store', 'world'],
    knows: 'how what waits is sent: in turns, and around addresses that do not answer',
  },
  ui: { imports: [], knows: 'how things look, and no domain' },
  markdown: { imports: [], knows: 'how Markdown is parsed, in full and for short notes' },
  events: { imports: ['engine/sql', 'world'], knows: 'what an event is' },
  filters: { imports: ['engine/sql', 'world', 'events/value-names'], knows: 'conditions on properties' },
  projects: { imports: ['outbound', 'store', 'world'], knows: 'projects, members, keys and the audit log' },
  collection: {
    imports: ['projects', 'store', 'world'],
    knows: 'lists of entries in a project: list, create, change and remove, with right, limit and audit',
  },
  persons: {
    imports: ['collection', 'events', 'filters', 'projects', 'store', 'engine', 'world'],
    knows: 'who a visitor turned out to be',
  },
  insights: {
    imports: ['collection', 'events', 'filters', 'persons', 'projects', 'engine', 'store', 'ui', 'world'],
    knows: 'queries and their answers',
  },
  flags: {
    imports: [
      'statistics',
      'collection',
      'insights',
      'filters',
      'persons',
      'projects',
      'engine/sql',
      'store',
      'world',
    ],
    knows: 'what a visitor gets, and why',
  },
  dashboards: {
    imports: ['collection', 'insights', 'markdown', 'filters', 'projects', 'store', 'ui', 'world'],
    knows: 'pages of insights',
  },
  alerts: {
    imports: [
      'collection',
      'dashboards',
      'dispatch',
      'flags/flag-address',
      'insights',
      'events',
      'projects',
      'outbound',
      'engine',
      'store',
      'ui',
      'world',
    ],
    knows: 'numbers somebody wants to be told about',
  },
  surveys: {
    imports: [
      'statistics',
      'alerts',
      'collection',
      'dispatch',
      'insights',
      'filters',
      'flags',
      'markdown',
      'outbound',
      'projects',
      'engine/sql',
      'store',
      'world',
    ],
    knows: 'questions to people, and their answers',
  },
  posts: {
    imports: [
      'statistics',
      'collection',
      'insights',
      'filters',
      'flags',
      'surveys',
      'markdown',
      'outbound',
      'projects',
      'store',
      'processes',
      'world',
    ],
    knows: 'what the site publishes',
  },
  letters: {
    imports: [
      'statistics',
      'persons',
      'posts',
      'alerts',
      'markdown',
      'outbound',
      'projects',
      'store',
      'world',
    ],
    knows: 'posts that are sent by e-mail, and who gets them',
  },
  experiments: {
    imports: [
      'statistics',
      'alerts',
      'collection',
      'engine',
      'insights',
      'events/value-names',
      'filters',
      'flags',
      'outbound',
      'projects',
      'store',
      'ui',
      'world',
    ],
    knows: 'which variant is better, and how sure that is',
  },
  findings: {
    imports: [
      'statistics',
      'insights',
      'events/value-names',
      'experiments',
      'flags/flag-address',
      'flags/staleness',
      'projects',
      'surveys/kinds/rating-scale',
      'ui',
    ],
    knows: 'what of the last week is worth a sentence, and why',
  },
  search: {
    imports: ['projects', 'events', 'engine', 'ui'],
    knows: 'how the things of a project are found by name',
  },
  shares: {
    imports: ['dashboards', 'experiments', 'insights', 'projects', 'store', 'world'],
    knows: 'links that show one thing to people without an account',
  },
  ingest: { imports: ['events', 'persons', 'projects', 'engine', 'world'], knows: 'how an event gets in' },
  backups: {
    imports: ['engine', 'store', 'migrations/store', 'outbound', 'persons', 'projects', 'world'],
    knows: 'snapshots of a data folder, and how one comes back',
  },
  exports: {
    imports: ['persons', 'projects', 'engine', 'store', 'world'],
    knows: 'a project’s data as files, for use elsewhere',
  },
  imports: {
    imports: ['processes', 'events', 'ingest', 'persons', 'projects', 'wire', 'engine', 'store', 'world'],
    knows: 'histories that come from other products',
  },
  retention: {
    imports: ['ingest', 'insights', 'projects', 'engine', 'store', 'world'],
    knows: 'how long things are kept, and what stays of them',
  },
  'site-kit': {
    imports: ['posts', 'processes', 'world'],
    knows: 'pages, layouts and components of a team’s own: how they are built and rendered',
  },
  wire: {
    imports: ['http/router', 'ingest', 'flags', 'surveys', 'projects', 'world'],
    knows: 'how vendors’ clients talk',
  },
  visits: {
    imports: [
      'flags',
      'persons',
      'ingest',
      'wire',
      'experiments/web/web-experiment-list',
      'projects',
      'world',
    ],
    knows: 'who is here, and every decision',
  },
  demo: {
    imports: ['events', 'flags', 'surveys', 'posts', 'dashboards', 'projects', 'outbound', 'world'],
    knows: 'ninety days of a believable product',
  },
  http: {
    imports: [
      'ingest',
      'engine',
      'posts',
      'site-kit',
      'wire',
      'projects',
      'store',
      'ui',
      'outbound',
      'world',
    ],
    knows: 'the one port: trusted proxies, bodies, limits and refusals',
  },
  'site-checks': {
    imports: ['markdown', 'outbound', 'projects', 'world'],
    knows: 'what the page of a measured site says of itself: its frames, its tag, its buttons',
  },
  'site-serving': {
    imports: [
      'http',
      'visits',
      'posts',
      'site-kit',
      'letters',
      'surveys',
      'flags',
      'ingest',
      'wire',
      'projects',
      'processes',
      'world',
    ],
    knows: 'a public page from request to bytes',
  },
  api: {
    imports: [
      'collection',
      'http',
      'alerts',
      'dashboards',
      'insights',
      'filters',
      'flags',
      'experiments',
      'shares',
      'posts',
      'exports',
      'imports',
      'letters',
      'search',
      'surveys',
      'persons',
      'ingest',
      'projects',
      'events/taxonomy',
      'events/value-names',
      'wire/plausible/events',
      'engine',
      'store',
      'world',
    ],
    knows: 'the management API',
  },
  moves: {
    imports: [
      'api',
      'experiments',
      'flags',
      'imports',
      'insights',
      'outbound',
      'persons',
      'projects',
      'store',
      'surveys',
      'world',
    ],
    knows: 'how a project of PostHog’s moves here, by its API',
  },
  'agent-access': {
    imports: ['http', 'outbound', 'projects', 'store', 'world'],
    knows: 'which assistants act for members, and how far',
  },
  agents: {
    imports: [
      'agent-access',
      'alerts',
      'dashboards',
      'engine',
      'events/taxonomy',
      'experiments',
      'filters',
      'flags',
      'http',
      'insights',
      'posts/post-schema',
      'projects',
      'statistics',
      'store',
      'surveys',
      'ui',
      'world',
    ],
    knows: 'what an assistant can ask of a project and propose to it, and how it is answered',
  },
  server: { imports: 'everything above', knows: 'what runs: settings, start, jobs, health and shutdown' },
  cli: { imports: 'everything above', knows: 'the commands of the command line' },
  studio: {
    imports: 'ui, and what only draws or only computes in the modules above',
    knows: 'the pages of the studio: their parts, drafts and actions',
  },
  app: {
    imports: 'studio, and what studio may import',
    knows: 'routes: Next’s folders and its proxy, and the pages of the site',
  },
  tracker: {
    imports: ['surveys', 'posts', 'wire'],
    knows: 'the scripts that pages load from Tilth',
  },
} as const satisfies Record<string, Module>

interface Module {
  /** `everything above` and the sentence for pages are rules of their own, spelled out in `architecture.test.ts`. */
  imports: readonly string[] | string
  knows: string
}

export type ModuleName = keyof typeof modules
export const moduleNames = Object.keys(modules).filter((name): name is ModuleName =>
  Object.hasOwn(modules, name),
)

/** A family: folders of one shape. Its members are the folders in `folder` besides `internal`. */
interface Family {
  folder: string
  /** The file that lists the members. */
  listedIn: string
  /** Files that each member has, the first of them its main file. `<name>` is the name of the member. */
  has: readonly string[]
  /** Files with the same meaning in each member that has them. */
  mayHave?: readonly string[]
}

/**
 * The families. The files that are named here stand directly in the folder of a member, whether or not another module
 * imports them. Other files of a member are imported from outside of it, or stand in its `internal`.
 */
export const families: readonly Family[] = [
  {
    folder: 'src/insights/kinds',
    listedIn: 'insights/internal/kinds.ts',
    has: ['<name>.ts', 'schema.ts'],
    mayHave: ['query.ts', 'answer.ts'],
  },
  {
    folder: 'src/wire',
    listedIn: 'wire/dialects.ts',
    has: ['<name>.ts'],
    mayHave: ['events.ts', 'flags.ts', 'refusals.ts'],
  },
  { folder: 'src/imports/sources', listedIn: 'imports/sources/sources.ts', has: ['<name>.ts'] },
  {
    folder: 'src/surveys/kinds',
    listedIn: 'surveys/kinds/question-kinds.ts',
    has: ['<name>.ts', 'schema.ts', 'run.ts', 'answers.ts'],
  },
  { folder: 'src/alerts/letters', listedIn: 'alerts/internal/messages.ts', has: ['<name>.ts', 'message.ts'] },
  {
    folder: 'src/studio/insights/kinds',
    listedIn: 'studio/insights/kinds.ts',
    has: ['view.ts', 'Chart.tsx', 'Form.tsx', 'LazyForm.tsx'],
  },
  {
    folder: 'src/studio/surveys/kinds',
    listedIn: 'studio/surveys/kinds/kind-results.ts',
    has: ['result.ts'],
    mayHave: ['Fields.tsx'],
  },
]

/** Imports that are allowed as types and not as values: types leave no trace in the running program. */
export const closedToTypes: readonly ModuleName[] = [
  'processes',
  'world',
  'engine',
  'store',
  'ui',
  'migrations/store',
]

/** Names that say what kind of code something is instead of what it knows. */
export const bannedFolders = [
  'lib',
  'util',
  'utils',
  'helpers',
  'services',
  'types',
  'common',
  'shared',
  'misc',
]

export const tableMarkers = { begin: '<!-- imports:begin -->', end: '<!-- imports:end -->' }

/** The table between the markers in ARCHITECTURE.md. */
export function printedTable(): string {
  const rows = moduleNames.map(
    (name) => `| ${name} | ${modules[name].knows} | ${foldersOf(name)} | ${printed(modules[name].imports)} |`,
  )
  return ['| module | knows | folders | may import by value |', '|---|---|---|---|', ...rows].join('\n')
}

/** The folders of a module; those of `studio` are in a table of their own, and Next names those of `app`. */
function foldersOf(name: ModuleName): string {
  const folder = join(import.meta.dirname, '../../src', name)
  if (name === 'studio' || name === 'app' || !existsSync(folder)) return ''
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'internal')
    .map((entry) => entry.name)
    .sort()
    .join(', ')
}

const printed = (imports: Module['imports']): string =>
  typeof imports === 'string' ? imports : imports.join(', ') || 'nothing'
