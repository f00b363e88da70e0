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
import { type StudioRoom, roomAddress, rooms } from '#ui/page/rooms'

/** A place in a project, reached from the sidebar, the palette, and by `g` and a letter. */
interface NavSection {
  label: string
  icon: LucideIcon
  key: string
  path: (slug: string) => string
}

interface NavGroup {
  label?: string
  sections: readonly NavSection[]
}

const sectionFor = (room: StudioRoom, icon: LucideIcon, key: string): NavSection => ({
  label: room.label,
  icon,
  key,
  path: (slug) => roomAddress(slug, room),
})

export const home = sectionFor(rooms.home, House, 'h')
const web = sectionFor(rooms.web, ChartColumn, 'w')
const insights = sectionFor(rooms.insights, ChartSpline, 'i')
const live = sectionFor(rooms.live, Radio, 'l')
const dashboards = sectionFor(rooms.dashboards, LayoutDashboard, 'd')
const people = sectionFor(rooms.people, UsersRound, 'p')
const sql = sectionFor(rooms.sql, SquareTerminal, 'q')
const alerts = sectionFor(rooms.alerts, BellRing, 'a')
const flags = sectionFor(rooms.flags, Flag, 'f')
const experiments = sectionFor(rooms.experiments, FlaskConical, 'e')
const surveys = sectionFor(rooms.surveys, MessageSquareText, 's')
const posts = sectionFor(rooms.posts, Newspaper, 'b')
const connect = sectionFor(rooms.connect, Plug, 'c')
export const settings = sectionFor(rooms.settings, Settings, ',')

/** The sidebar, from top to bottom. */
export const navGroups: readonly NavGroup[] = [
  { sections: [home] },
  { label: 'Measure', sections: [web, insights, dashboards, people, live, alerts, sql] },
  { label: 'Ship', sections: [flags, experiments, surveys] },
  { label: 'Publish', sections: [posts] },
  { sections: [connect, settings] },
]

export const allSections: readonly NavSection[] = navGroups.flatMap(({ sections }) => sections)

/** Home is where only Home's own address leads; every other room has addresses below its own. */
export const isInSection = (section: NavSection, slug: string, pathname: string): boolean =>
  pathname === section.path(slug) || (section !== home && pathname.startsWith(`${section.path(slug)}/`))
