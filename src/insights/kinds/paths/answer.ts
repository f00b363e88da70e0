import type { AnswerTable } from '../../kind'
import type { PathMove } from './query'
import { leadsBack, type PathsQuery } from './schema'

/** A node of a step: a page, a screen, an event, or all others. */
export interface PathsNode {
  id: string
  /** The step, counted from 1 in the order of time. */
  step: number
  /** Empty for all others. */
  name: string
  isOthers?: true
  /** The number of names that all others stand for. */
  merged?: number
  /**
   * The number of sessions: those that arrive by links or begin here equal those that leave by links, drop off, or are
   * not followed further.
   */
  sessions: number
  /** The number of paths that begin here. */
  begin: number
  /** Paths that are not followed further: at the last step or the end point. */
  beyond: number
}

interface PathsLink {
  /** Ids of nodes. */
  from: string
  to: string
  sessions: number
  /** The median time between the two nodes. */
  medianSeconds: number
}

export interface PathsAnswer {
  steps: number
  /** The number of paths. */
  sessions: number
  nodes: PathsNode[]
  links: PathsLink[]
  /** The number of paths that end at each node. */
  dropOffs: { node: string; sessions: number }[]
}

const noFurther = -1
const atEnd = 0

/** Reverses the links of paths that lead to an end, whose first step in the engine is the last in time. */
export function pathsAnswer(
  query: PathsQuery,
  moves: readonly PathMove[],
  names: ReadonlyMap<string, string>,
): PathsAnswer {
  const { steps, top } = query
  const isBack = leadsBack(query)
  const stepOf = (step: number) => (isBack ? steps + 1 - step : step)
  const named = new Map(moves.map(({ step, origin, id }) => [`${step} ${origin}`, names.get(id) ?? '']))
  const idOf = (step: number, place: number) =>
    `${stepOf(step)}:${place > top ? '' : named.get(`${step} ${place}`)}`

  const links = moves.flatMap(({ step, origin, target, sessions, medianMs }): PathsLink[] => {
    if (target <= 0) return []
    const [here, there] = [idOf(step, origin), idOf(step + 1, target)]
    const [from, to] = isBack ? [there, here] : [here, there]
    return [{ from, to, sessions, medianSeconds: medianMs / 1000 }]
  })
  const nodes = [...named.keys()].map((key): PathsNode => {
    const own = moves.filter(({ step, origin }) => key === `${step} ${origin}`)
    const { step = 0, origin = 0 } = own[0] ?? {}
    const id = idOf(step, origin)
    const sessions = sum(own)
    const cut = sum(own.filter(({ target }) => target === noFurther))
    return {
      id,
      step: stepOf(step),
      name: origin > top ? '' : (named.get(key) ?? ''),
      ...(origin > top && { isOthers: true, merged: Math.max(...own.map(({ ranks }) => ranks)) - top }),
      sessions,
      begin: sessions - sum(links.filter(({ to }) => to === id)),
      beyond: isBack ? (step === 1 ? sessions : 0) : cut,
    }
  })
  const dropOffs = moves.flatMap(({ step, origin, target, sessions }) =>
    target === atEnd && !isBack ? [{ node: idOf(step, origin), sessions }] : [],
  )
  return {
    steps,
    sessions: sum(moves.filter(({ step }) => step === 1)),
    nodes: inOrder(nodes),
    links,
    dropOffs,
  }
}

const sum = (counted: readonly { sessions: number }[]): number =>
  counted.reduce((total, { sessions }) => total + sessions, 0)

/** Sorts nodes by size, the others last. */
const inOrder = (nodes: readonly PathsNode[]): PathsNode[] =>
  [...nodes].sort(
    (one, other) =>
      one.step - other.step ||
      Number(one.isOthers ?? false) - Number(other.isOthers ?? false) ||
      other.sessions - one.sessions ||
      (one.name < other.name ? -1 : 1),
  )

export function pathsTable({ nodes, links, dropOffs }: PathsAnswer): AnswerTable {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const nameOf = (id: string) => (byId.get(id)?.isOthers ? 'others' : (byId.get(id)?.name ?? ''))
  const stepOf = (id: string) => byId.get(id)?.step ?? 0
  return {
    columns: [
      { name: 'Step', as: 'number' },
      { name: 'From', as: 'text' },
      { name: 'To', as: 'text' },
      { name: 'Sessions', as: 'number' },
      { name: 'Median time', as: 'duration' },
    ],
    rows: [
      ...links.map(({ from, to, sessions, medianSeconds }) => [
        stepOf(from),
        nameOf(from),
        nameOf(to),
        sessions,
        medianSeconds,
      ]),
      ...dropOffs.map(({ node, sessions }) => [stepOf(node), nameOf(node), null, sessions, null]),
    ],
  }
}
