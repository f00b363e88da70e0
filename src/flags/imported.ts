import { type Outcome, type Problem, undone } from '../projects/problems'
import type { Flag } from './flag'
import { most, tooManyFlags } from './flag-input'
import { flagsInPosthogJson, fromPosthog } from './posthog-form'
import { inspectorOf, liveIn, type Surroundings } from './input/surroundings'
import { saidIn, type Theirs } from './posthog/changes'

/** What became of an import: the keys of flags. What is as it was already is in none of them. */
export interface Imported {
  created: string[]
  changed: string[]
  refused: { key: string; problems: Problem[] }[]
}

/** A flag as an import wants it, and how it was before. */
export interface Candidate {
  flag: Flag
  before: Flag | undefined
}

export interface Readable {
  flags: Theirs[]
  refused: Imported['refused']
}

const notTheirs =
  'This holds no PostHog flags. Give what its API answers: a flag with "key" and "filters", a list of them, ' +
  'or {"results": […]}.'

export function readPosthogFlags(json: unknown, environment: string): Outcome<Readable> {
  const found = flagsInPosthogJson(json)
  if (!found || found.flags.length === 0) return undone(notTheirs)
  const readable: Readable = { flags: [], refused: [] }
  const known = new Set<string>()
  for (const one of found.flags) {
    const read = fromPosthog(one, environment, found.groupTypes)
    if (!read.done) readable.refused.push({ key: keyOf(one), problems: read.problems })
    else if (known.has(read.value.key)) readable.refused.push(because(read.value.key, 'It is there twice.'))
    else readable.flags.push({ flag: read.value, said: saidIn(one) })
    if (read.done) known.add(read.value.key)
  }
  return { done: true, ...readable }
}

const keyOf = (json: unknown): string =>
  typeof json === 'object' && json !== null && 'key' in json && typeof json.key === 'string' ? json.key : ''

const because = (key: string, message: string) => ({ key, problems: [{ message }] })

/**
 * Those that can be taken, and why the others cannot. A flag may depend on one that comes with it; what depends on one
 * that is refused is refused as well.
 */
export function sorted(candidates: readonly Candidate[], around: Surroundings) {
  const refused: Imported['refused'] = []
  let left = candidates.filter(({ flag, before }) => {
    const why = hindrance(flag, before, around)
    if (why !== undefined) refused.push(because(flag.key, why))
    return why === undefined
  })
  for (let before = -1; before !== left.length;) {
    before = left.length
    const inspect = inspectorOf(togetherWith(left, around))
    left = left.filter(({ flag }) => {
      const problems = inspect(flag)
      if (problems.length > 0) refused.push({ key: flag.key, problems })
      return problems.length === 0
    })
  }
  const room = most.flags - liveIn(around).length
  const added = left.filter((one) => !one.before)
  const tooMany = new Set(added.slice(Math.max(0, room)))
  for (const { flag } of tooMany) refused.push(because(flag.key, tooManyFlags))
  return { accepted: left.filter((one) => !tooMany.has(one)), refused }
}

function hindrance(flag: Flag, before: Flag | undefined, { holdouts }: Surroundings): string | undefined {
  if (before?.archivedAt) return 'It is archived here. Bring it back first.'
  if (before && before.isSecret !== flag.isSecret)
    return `It is ${before.isSecret ? '' : 'not '}secret here, and that cannot be changed.`
  const other = Object.values(flag.environments).find(
    ({ holdout }) => holdout && (holdouts.get(holdout.id) ?? holdout.percentage) !== holdout.percentage,
  )?.holdout
  return other && `Its holdout ${other.id} holds out ${holdouts.get(other.id)} percent here.`
}

/** As if they had been taken already, with the holdouts they name. */
function togetherWith(candidates: readonly Candidate[], around: Surroundings): Surroundings {
  const flags = new Map([...around.flags, ...candidates.map(({ flag }): [string, Flag] => [flag.key, flag])])
  const named = holdoutsNamedIn(candidates.map(({ flag }) => flag))
  const theirs = Array.from(named, ([id, { percentage }]): [number, number] => [id, percentage])
  return { ...around, flags, holdouts: new Map([...around.holdouts, ...theirs]) }
}

export const holdoutsNamedIn = (
  flags: readonly Flag[],
): Map<number, { projectId: number; percentage: number }> =>
  new Map(
    flags.flatMap(({ projectId, environments }) =>
      Object.values(environments).flatMap(
        ({ holdout }): [number, { projectId: number; percentage: number }][] =>
          holdout ? [[holdout.id, { projectId, percentage: holdout.percentage }]] : [],
      ),
    ),
  )
