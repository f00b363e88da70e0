import {
  BellRing,
  ChartColumn,
  ChartSpline,
  FlaskConical,
  Flag,
  House,
  LayoutDashboard,
  type LucideIcon,
  MessageSquareText,
  Newspaper,
  Plug,
  Radio,
  Settings,
  SquareTerminal,
  UsersRound,
} from 'lucide-react'
import { paths } from '../paths'

/** A place in a project, reached from the sidebar, the palette, and by `g` and a letter. */
export interface Room {
  label: string
  icon: LucideIcon
  key: string
  path: (slug: string) => string
  /** What stands there while the room is empty. */
  notYet?: string
}

export interface Wing {
  label?: string
  rooms: readonly Room[]
}

const unbuilt = (part: string, room: Omit<Room, 'path'>): Room => ({
  ...room,
  path: (slug) => paths.room(slug, part),
})

export const home: Room = { label: 'Home', icon: House, key: 'h', path: paths.project }
export const web: Room = {
  label: 'Web analytics',
  icon: ChartColumn,
  key: 'w',
  path: (slug) => paths.web(slug),
}
export const insights: Room = {
  label: 'Insights',
  icon: ChartSpline,
  key: 'i',
  path: (slug) => paths.insights(slug),
}
export const live: Room = { label: 'Live', icon: Radio, key: 'l', path: (slug) => paths.live(slug) }
export const dashboards: Room = {
  label: 'Dashboards',
  icon: LayoutDashboard,
  key: 'd',
  path: (slug) => paths.dashboards(slug),
}
export const people: Room = {
  label: 'People',
  icon: UsersRound,
  key: 'p',
  path: (slug) => paths.people(slug),
}
export const sql: Room = { label: 'SQL', icon: SquareTerminal, key: 'q', path: (slug) => paths.sql(slug) }
export const alerts: Room = {
  label: 'Alerts',
  icon: BellRing,
  key: 'a',
  path: (slug) => paths.alerts(slug),
}
export const flags: Room = { label: 'Flags', icon: Flag, key: 'f', path: (slug) => paths.flags(slug) }
export const posts: Room = {
  label: 'Posts',
  icon: Newspaper,
  key: 'b',
  path: (slug) => paths.posts(slug),
}
export const connect: Room = { label: 'Connect', icon: Plug, key: 'c', path: (slug) => paths.connect(slug) }
export const settings: Room = { label: 'Settings', icon: Settings, key: ',', path: paths.settings }

/** Rooms that are built get a folder of their own beside `[room]` and lose their sentence here. */
export const unbuiltRooms: ReadonlyMap<string, Room> = new Map(
  Object.entries({
    experiments: {
      label: 'Experiments',
      icon: FlaskConical,
      key: 'e',
      notYet: 'Experiments are not built yet.',
    },
    surveys: {
      label: 'Surveys',
      icon: MessageSquareText,
      key: 's',
      notYet: 'Surveys are not built yet.',
    },
  }).map(([part, room]) => [part, unbuilt(part, room)]),
)

const named = (...parts: string[]) => parts.flatMap((part) => unbuiltRooms.get(part) ?? [])

/** The sidebar, from top to bottom. */
export const wings: readonly Wing[] = [
  { rooms: [home] },
  { label: 'Measure', rooms: [web, insights, dashboards, people, live, alerts, sql] },
  { label: 'Ship', rooms: [flags, ...named('experiments', 'surveys')] },
  { label: 'Publish', rooms: [posts] },
  { rooms: [connect, settings] },
]

export const allRooms: readonly Room[] = wings.flatMap(({ rooms }) => rooms)

/** Home is where only Home's own address leads; every other room has addresses below its own. */
export const isIn = (room: Room, slug: string, pathname: string): boolean =>
  pathname === room.path(slug) || (room !== home && pathname.startsWith(`${room.path(slug)}/`))
