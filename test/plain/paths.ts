import { isAuxiliaryEvent } from '#events/taxonomy'
import { cleanedAddress } from '#insights/kinds/paths/cleaning'
import type { PathsQuery } from '#insights/kinds/paths/schema'
import { type Calendar, periodOn } from '#insights/calendar/period'
import { type TestEvent, timeOf } from '../product/test-engine'

interface PathVisit {
  at: number
  name: string
}

/** Of two at the same instant, and of two as large, the engine takes the one whose name has the smaller number. */
type NumberOf = (name: string) => bigint

/** Paths by a pencil: each person's visits in a row, cut where the query says, and counted step by step. */
export function expectedPaths(
  query: PathsQuery,
  events: readonly TestEvent[],
  calendar: Calendar,
  numberOf: NumberOf,
) {
  const isBack = query.end !== undefined && query.start === undefined
  const { steps } = query
  const paths = pathsOf(query, events, calendar, numberOf).flatMap((way) =>
    cutToQuery(query, collapsed(query, way)),
  )
  const shown = Array.from({ length: steps }, (_, i) => topOf(query, paths, i, numberOf))
  const stepOf = (i: number) => (isBack ? steps - i : i + 1)
  const nodeOf = (path: PathVisit[], i: number) => {
    const name = path[i]?.name ?? ''
    return `${stepOf(i)}:${shown[i]?.includes(name) ? name : ''}`
  }
  const count = new Counts()
  for (const path of paths) {
    const last = Math.min(path.length, steps) - 1
    for (let i = 0; i <= last; i++) {
      count.node(nodeOf(path, i)).sessions++
      const isFirst = isBack ? i === last : i === 0
      if (isFirst) count.node(nodeOf(path, i)).begin++
      if (i < last) count.link(nodeOf(path, i), nodeOf(path, i + 1), isBack, path[i], path[i + 1])
    }
    const isFollowed = path.length <= steps && query.end === undefined
    if (isFollowed) count.dropOff(nodeOf(path, last))
    else count.node(nodeOf(path, isBack ? 0 : last)).beyond++
  }
  return { sessions: paths.length, ...count.inOrder() }
}

class Counts {
  private readonly nodes: Record<string, { id: string; sessions: number; begin: number; beyond: number }> = {}
  private readonly links: Record<string, { from: string; to: string; times: number[] }> = {}
  private readonly dropOffs: Record<string, number> = {}

  node(id: string) {
    return (this.nodes[id] ??= { id, sessions: 0, begin: 0, beyond: 0 })
  }

  link(one: string, two: string, isBack: boolean, here: PathVisit | undefined, there: PathVisit | undefined) {
    const [from, to] = isBack ? [two, one] : [one, two]
    const link = (this.links[`${from} ${to}`] ??= { from, to, times: [] })
    link.times.push(Math.abs((there?.at ?? 0) - (here?.at ?? 0)) / 1000)
  }

  dropOff(node: string) {
    this.dropOffs[node] = (this.dropOffs[node] ?? 0) + 1
  }

  inOrder() {
    const links = Object.values(this.links).map(({ from, to, times }) => ({
      from,
      to,
      sessions: times.length,
      medianSeconds: times.toSorted((one, two) => one - two)[Math.ceil(times.length / 2) - 1],
    }))
    const dropOffs = Object.entries(this.dropOffs).map(([node, sessions]) => ({ node, sessions }))
    return inOrder({ nodes: Object.values(this.nodes), links, dropOffs })
  }
}

/** Sorts an answer, so that two can be compared. */
export function inOrder<
  Answer extends {
    nodes: { id: string }[]
    links: { from: string; to: string }[]
    dropOffs: { node: string }[]
  },
>(answer: Answer) {
  const by = <One>(list: readonly One[], key: (one: One) => string) =>
    list.toSorted((one, two) => (key(one) < key(two) ? -1 : 1))
  return {
    ...answer,
    nodes: by(answer.nodes, ({ id }) => id),
    links: by(answer.links, ({ from, to }) => `${from} ${to}`),
    dropOffs: by(answer.dropOffs, ({ node }) => node),
  }
}

function topOf({ top }: PathsQuery, paths: readonly PathVisit[][], i: number, numberOf: NumberOf): string[] {
  const here = paths.flatMap((path) => (path[i] ? [path[i].name] : []))
  const names = Object.entries(Object.groupBy(here, (name) => name))
  return names
    .toSorted(([a, as = []], [b, bs = []]) => bs.length - as.length || (numberOf(a) < numberOf(b) ? -1 : 1))
    .slice(0, top)
    .map(([name]) => name)
}

function pathsOf(
  query: PathsQuery,
  events: readonly TestEvent[],
  calendar: Calendar,
  numberOf: NumberOf,
): PathVisit[][] {
  const { from, until } = periodOn(calendar, query.period)
  const seen = events.flatMap((event) => {
    const name = rawName(query, event)
    const who = query.per === 'session' ? event.session : event.person
    const at = timeOf(event)
    return name && who && at >= from && at < until
      ? [{ who, at: at.getTime(), name: nodeName(query, name) }]
      : []
  })
  const byWho = Object.values(Object.groupBy(seen, ({ who }) => who))
  return byWho.flatMap((own = []) => {
    const visits = own.toSorted(
      (one, two) => one.at - two.at || (numberOf(one.name) < numberOf(two.name) ? -1 : 1),
    )
    return query.per === 'session' ? [visits] : splitByPause(visits, query.windowMinutes * 60_000)
  })
}

function splitByPause(visits: readonly PathVisit[], pauseMs: number): PathVisit[][] {
  const ways: PathVisit[][] = []
  visits.forEach((visit, i) => {
    const before = visits[i - 1]
    if (before && visit.at - before.at <= pauseMs) ways.at(-1)?.push(visit)
    else ways.push([visit])
  })
  return ways
}

function rawName({ of, events }: PathsQuery, event: TestEvent): string | undefined {
  if (of === 'pages') return event.event === '$pageview' ? event.columns?.path : undefined
  if (of === 'screens') return event.event === '$screen' ? event.properties?.['$screen_name'] : undefined
  const isListed = events ? events.includes(event.event) : !isAuxiliaryEvent(event.event)
  return isListed ? event.event : undefined
}

export function nodeName(
  { of, clean, groups }: Pick<PathsQuery, 'of' | 'clean' | 'groups'>,
  name: string,
): string {
  const fits = (pattern: string) => {
    const parts = pattern.toLowerCase().split('*')
    const text = parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('.*')
    return new RegExp(`^${text}$`, 's').test(name.toLowerCase())
  }
  const group = groups.find(({ pattern }) => fits(pattern))
  if (group) return group.name ?? group.pattern
  return of === 'pages' && clean ? cleanedAddress(name) : name
}

const collapsed = ({ collapse }: PathsQuery, way: PathVisit[]): PathVisit[] =>
  collapse ? way.filter(({ name }, i) => way[i - 1]?.name !== name) : way

/** The path that the query is about, if there is one in it; from its end backwards where only that is named. */
function cutToQuery(query: PathsQuery, way: PathVisit[]): PathVisit[][] {
  const called = (name: string) => nodeName(query, name)
  const { start, end } = query
  const first = start === undefined ? 0 : way.findIndex(({ name }) => name === called(start))
  if (first === -1) return []
  const path = way.slice(first)
  if (end === undefined) return [path]
  const last = path.findIndex(({ name }, i) => name === called(end) && (i > 0 || start === undefined))
  if (last === -1) return []
  const whole = path.slice(0, last + 1)
  return [start === undefined ? whole.toReversed() : whole]
}
