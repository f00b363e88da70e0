import { z } from 'zod'
import { type Outcome, failedOutcome } from '#projects/problems'
import { inputProblem } from '#projects/problem-schema'
import type { Flag } from './flag'
import { tooManyFlags } from './flag-input'
import { flagLimits } from './flag-schema'
import { flagsInPosthogJson, fromPosthog } from './posthog-form'
import {
  liveFlagsIn,
  lostVariantObjection,
  problemFinderFor,
  type ProjectFlagContext,
} from './internal/project-flag-context'
import { neverMatchingIn } from './posthog/internal/never-matching'
import { withoutRefusedPatterns } from './posthog/internal/refused-patterns'
import { mentionedIn, type PosthogFlagInput } from './posthog/internal/flag-change'

/** The result of an import: keys of flags. Unchanged flags are in none of the lists. */
export const flagImportResult = z.strictObject({
  created: z.array(z.string()),
  changed: z.array(z.string()),
  refused: z.array(z.strictObject({ key: z.string(), problems: z.array(inputProblem) })),
  remarks: z.array(z.strictObject({ key: z.string(), sentences: z.array(z.string()) })).meta({
    description:
      'On imported flags: conditions that never match, and sets that are off because of a pattern that is refused here',
  }),
})
export type FlagImportResult = z.infer<typeof flagImportResult>

/** A flag to import, and its previous version. */
export interface FlagImportCandidate {
  flag: Flag
  before: Flag | undefined
}

interface ReadableFlags {
  flags: PosthogFlagInput[]
  /** On flags of which a part is off. */
  remarks: FlagImportResult['remarks']
  refused: FlagImportResult['refused']
}

const notForeign =
  'This holds no PostHog flags. Give what its API answers: a flag with "key" and "filters", a list of them, ' +
  'or {"results": […]}.'

export function readPosthogFlags(json: unknown, environment: string): Outcome<ReadableFlags> {
  const found = flagsInPosthogJson(json)
  if (!found || found.flags.length === 0) return failedOutcome(notForeign)
  const readable: ReadableFlags = { flags: [], remarks: [], refused: [] }
  const known = new Set<string>()
  for (const one of found.flags) {
    const { flag, remarks } = withoutRefusedPatterns(one)
    const read = fromPosthog(flag, environment, found.groupTypes)
    if (!read.done) readable.refused.push({ key: keyOf(one), problems: read.problems })
    else if (known.has(read.value.key))
      readable.refused.push(importRefusal(read.value.key, 'It is there twice.'))
    else {
      readable.flags.push({ flag: read.value, mentioned: mentionedIn(flag) })
      if (remarks.length > 0) readable.remarks.push({ key: read.value.key, sentences: remarks })
    }
    if (read.done) known.add(read.value.key)
  }
  return { done: true, ...readable }
}

const keyOf = (json: unknown): string =>
  typeof json === 'object' && json !== null && 'key' in json && typeof json.key === 'string' ? json.key : ''

/** Remarks on flags that were imported: what was found when they were read, and conditions that never match. */
export const remarksOn = (
  flags: readonly Flag[],
  found: FlagImportResult['remarks'],
): FlagImportResult['remarks'] =>
  flags.flatMap((flag) => {
    const read = found.find(({ key }) => key === flag.key)?.sentences ?? []
    const sentences = [...read, ...neverMatchingIn(flag)]
    return sentences.length > 0 ? [{ key: flag.key, sentences }] : []
  })

const importRefusal = (key: string, message: string) => ({ key, problems: [{ message }] })

/**
 * Separates flags that can be imported from those that cannot, with reasons. A flag may depend on another one in the
 * import; if that one is refused, both are.
 */
export function sortCandidates(candidates: readonly FlagImportCandidate[], context: ProjectFlagContext) {
  const refused: FlagImportResult['refused'] = []
  let left = candidates.filter(({ flag, before }) => {
    const why = importObjection(flag, before, context)
    if (why !== undefined) refused.push(importRefusal(flag.key, why))
    return why === undefined
  })
  for (let before = -1; before !== left.length;) {
    before = left.length
    const inspect = problemFinderFor(withCandidates(left, context))
    left = left.filter(({ flag }) => {
      const problems = inspect(flag)
      if (problems.length > 0) refused.push({ key: flag.key, problems })
      return problems.length === 0
    })
  }
  const remaining = flagLimits.flags - liveFlagsIn(context).length
  const added = left.filter((one) => !one.before)
  const tooMany = new Set(added.slice(Math.max(0, remaining)))
  for (const { flag } of tooMany) refused.push(importRefusal(flag.key, tooManyFlags))
  return { accepted: left.filter((one) => !tooMany.has(one)), refused }
}

function importObjection(
  flag: Flag,
  before: Flag | undefined,
  context: ProjectFlagContext,
): string | undefined {
  if (before?.archivedAt) return 'It is archived here. Restore it first.'
  if (before && before.isSecret !== flag.isSecret)
    return `It is ${before.isSecret ? '' : 'not '}secret here, and that cannot be changed.`
  const lost = lostVariantObjection(flag, before, context)
  if (lost !== undefined) return lost
  const { holdouts } = context
  const other = Object.values(flag.environments).find(
    ({ holdout }) => holdout && (holdouts.get(holdout.id) ?? holdout.percentage) !== holdout.percentage,
  )?.holdout
  return other && `Its holdout ${other.id} holds out ${holdouts.get(other.id)} percent here.`
}

/** The project as if these flags were imported already, with their holdouts. */
function withCandidates(
  candidates: readonly FlagImportCandidate[],
  context: ProjectFlagContext,
): ProjectFlagContext {
  const flags = new Map([...context.flags, ...candidates.map(({ flag }): [string, Flag] => [flag.key, flag])])
  const named = holdoutsNamedIn(candidates.map(({ flag }) => flag))
  const percentages = Array.from(named, ([id, { percentage }]): [number, number] => [id, percentage])
  return { ...context, flags, holdouts: new Map([...context.holdouts, ...percentages]) }
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
