/**
 * Which room may import which, by value. The order is from the ground up. `ARCHITECTURE.md` prints this table and
 * `architecture.test.ts` holds every file to it. An entry with a slash is that one file and no other.
 */
export const rooms = {
  processes: { imports: [], knows: 'how a child process is kept alive' },
  world: { imports: [], knows: 'the clock and chance' },
  engine: { imports: ['processes', 'migrations/engine'], knows: 'where events live' },
  store: { imports: ['migrations/store'], knows: 'where everything else lives' },
  'migrations/engine': { imports: ['engine/sql'], knows: 'the history of the engine’s tables' },
  'migrations/store': { imports: [], knows: 'the history of the store’s tables' },
  outbound: { imports: ['world'], knows: 'how Tilth reaches out, and where it never does' },
  ui: { imports: [], knows: 'how things look, and no domain' },
  events: { imports: ['engine/sql', 'world'], knows: 'what an event is' },
  filters: { imports: ['engine/sql', 'world'], knows: 'conditions on properties' },
  projects: { imports: ['store', 'world'], knows: 'projects, members, keys and the audit log' },
  persons: {
    imports: ['events', 'filters', 'projects', 'store', 'engine', 'world'],
    knows: 'who a visitor turned out to be',
  },
  flags: {
    imports: ['filters', 'persons', 'projects', 'store', 'world'],
    knows: 'what a visitor gets, and why',
  },
  insights: {
    imports: ['events', 'filters', 'persons', 'projects', 'engine', 'ui', 'world'],
    knows: 'questions and their answers',
  },
  dashboards: {
    imports: ['insights', 'filters', 'projects', 'store', 'ui', 'world'],
    knows: 'pages of insights, and who else may see them',
  },
  alerts: {
    imports: ['dashboards', 'insights', 'events', 'projects', 'outbound', 'engine', 'store', 'ui', 'world'],
    knows: 'numbers somebody wants to be told about',
  },
  surveys: { imports: ['filters', 'flags', 'projects', 'store', 'world'], knows: 'questions to people' },
  posts: { imports: ['filters', 'flags', 'projects', 'store', 'world'], knows: 'what the site publishes' },
  experiments: {
    imports: ['flags', 'insights', 'projects', 'store', 'world'],
    knows: 'hypotheses and verdicts',
  },
  ingest: { imports: ['events', 'persons', 'projects', 'engine', 'world'], knows: 'how an event gets in' },
  visits: {
    imports: ['flags', 'experiments', 'persons', 'ingest', 'world'],
    knows: 'who is here, and every decision',
  },
  wire: { imports: ['ingest', 'flags', 'surveys', 'projects', 'world'], knows: 'how vendors’ clients talk' },
  demo: { imports: ['events', 'flags', 'world'], knows: 'a believable product’s ninety days' },
  server: { imports: 'everything above', knows: 'how it all is put together' },
  app: {
    imports: 'ui, and what only draws or only computes in the rooms above',
    knows: 'pages; it holds Next’s folders and its proxy',
  },
} as const satisfies Record<string, Room>

interface Room {
  /** `everything above` and the sentence for pages are rules of their own, spelled out in `architecture.test.ts`. */
  imports: readonly string[] | string
  knows: string
}

export type RoomName = keyof typeof rooms
export const roomNames = Object.keys(rooms).filter((name): name is RoomName => Object.hasOwn(rooms, name))

/** What is allowed as a type and is not as a value: types leave no trace in what runs. */
export const closedToTypes: readonly RoomName[] = [
  'processes',
  'world',
  'engine',
  'store',
  'ui',
  'migrations/store',
]

/** Folders inside a room that others may reach into, because every file in them is a member of one list. */
export const registries: readonly string[] = []

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

/** What stands between the markers in ARCHITECTURE.md. */
export function printedTable(): string {
  const rows = roomNames.map((name) => `| ${name} | ${rooms[name].knows} | ${printed(rooms[name].imports)} |`)
  return ['| room | knows | may import by value |', '|---|---|---|', ...rows].join('\n')
}

const printed = (imports: Room['imports']): string =>
  typeof imports === 'string' ? imports : imports.join(', ') || 'nothing'
