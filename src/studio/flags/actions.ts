'use server'

import { z } from 'zod'
import type { Filter } from '#filters/filter'
import type { Flag } from '#flags/flag'
import type { Guard } from '#flags/guard'
import type { FlagImportResult as Taken } from '#flags/flag-import'
import { withNumberCohort } from '#studio/numbers/number-cohort'
import { getProduct } from '#studio/product'
import { requireViewer } from '#studio/viewer'
import { type ActionResult, failedWith, mapOutcome } from '#studio/parts/action-result'
import { asNumber, asText } from '#studio/parts/form-data'
import { catchRefusals, runProjectChange, tryEngine } from '#studio/parts/refusals'
import { jsonIn } from '#studio/people/list-filter'

export async function createFlag(slug: unknown, input: unknown): Promise<ActionResult<{ key: string }>> {
  const answer = await runProjectChange(slug, ({ flags }, projectId, viewer) =>
    flags.create(projectId, input, viewer),
  )
  return mapOutcome(answer, ({ flag }) => ({ key: flag.key }))
}

/** Creates a flag for the persons of a number: their cohort is the condition of each of its environments. */
export async function createFlagForNumber(
  slug: unknown,
  cohort: unknown,
  input: unknown,
): Promise<ActionResult<{ key: string }>> {
  const answer = await runProjectChange(slug, (product, projectId, viewer) =>
    withNumberCohort(product, projectId, cohort, viewer, (isMember) =>
      product.flags.create(projectId, withCondition(input, isMember), viewer),
    ),
  )
  return mapOutcome(answer, ({ flag }) => ({ key: flag.key }))
}

const flagSettings = z.looseObject({
  environments: z.record(z.string(), z.looseObject({ conditions: z.array(z.looseObject({})) })),
})

/** The flag's own schema refuses what is none. */
function withCondition(input: unknown, condition: object): unknown {
  const read = flagSettings.safeParse(input)
  if (!read.success) return input
  const environments = Object.entries(read.data.environments).map(([name, setting]) => [
    name,
    { ...setting, conditions: setting.conditions.map((set) => ({ ...set, conditions: [condition] })) },
  ])
  return { ...read.data, environments: Object.fromEntries(environments) }
}

export async function saveFlag(
  slug: unknown,
  key: unknown,
  input: unknown,
): Promise<ActionResult<{ flag: Flag }>> {
  return await runProjectChange(slug, ({ flags }, projectId, viewer) =>
    flags.change(projectId, asText(key), input, viewer),
  )
}

/** Loads the current flag after a conflict with another member's change. */
export async function reloadFlag(slug: unknown, key: unknown): Promise<ActionResult<{ flag: Flag }>> {
  const viewer = await requireViewer()
  const { projects, flags } = getProduct()
  return await catchRefusals(async () => {
    const flag = await flags.find(projects.find(asText(slug), viewer).id, asText(key), viewer)
    return flag ? { done: true, flag } : failedWith('There is no such flag in this project.')
  })
}

export async function turnFlag(
  slug: unknown,
  key: unknown,
  environment: unknown,
  isOn: unknown,
): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ flags }, projectId, viewer) =>
    flags.turn(projectId, asText(key), { environment, isOn }, viewer),
  )
  return mapOutcome(answer, () => ({}))
}

export async function duplicateFlag(
  slug: unknown,
  key: unknown,
  input: unknown,
): Promise<ActionResult<{ key: string }>> {
  const answer = await runProjectChange(slug, ({ flags }, projectId, viewer) =>
    flags.duplicate(projectId, asText(key), input, viewer),
  )
  return mapOutcome(answer, ({ flag }) => ({ key: flag.key }))
}

/** Copies a flag's setting from one environment to another. */
export async function copySetting(slug: unknown, key: unknown, input: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ flags }, projectId, viewer) =>
    flags.copySetting(projectId, asText(key), input, viewer),
  )
  return mapOutcome(answer, () => ({}))
}

/** Archives a flag. One that code still requests needs `insists`. */
export async function archiveFlag(slug: unknown, key: unknown, insists: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ flags }, projectId, viewer) =>
    flags.archive(projectId, asText(key), viewer, { anyway: insists === true }),
  )
  return mapOutcome(answer, () => ({}))
}

export async function restoreFlag(slug: unknown, key: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ flags }, projectId, viewer) =>
    flags.restore(projectId, asText(key), viewer),
  )
  return mapOutcome(answer, () => ({}))
}

export async function revertFlag(slug: unknown, key: unknown, version: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ flags }, projectId, viewer) =>
    flags.revert(projectId, asText(key), asNumber(version), viewer),
  )
  return mapOutcome(answer, () => ({}))
}

export interface ImportedFlagsResult extends Pick<Taken, 'created' | 'changed'> {
  refused: { key: string; why: string }[]
  remarks: { key: string; why: string }[]
}

export async function importFlags(slug: unknown, text: unknown): Promise<ActionResult<ImportedFlagsResult>> {
  const json = jsonIn(asText(text))
  if (json === undefined) return failedWith('This is not valid JSON. Paste the whole API response.')
  const answer = await runProjectChange(slug, ({ flags }, projectId, viewer) =>
    flags.importFrom(projectId, json, viewer),
  )
  return mapOutcome(answer, ({ created, changed, refused, remarks }) => ({
    created,
    changed,
    remarks: remarks.map(({ key, sentences }) => ({ key, why: sentences.join(' ') })),
    refused: refused.map(({ key, problems }) => ({
      key,
      why: problems.map(({ message }) => message).join(' '),
    })),
  }))
}

/** The value that counts in the environment: its own, or that of all environments. */
export async function revealSecret(
  slug: unknown,
  key: unknown,
  environment: unknown,
): Promise<ActionResult<{ value: string }>> {
  const viewer = await requireViewer()
  const { projects, flags } = getProduct()
  const answer = await catchRefusals(() =>
    flags.reveal(projects.find(asText(slug), viewer).id, asText(key), viewer),
  )
  return mapOutcome(answer, ({ values }) => ({
    value: values.environments[asText(environment)]?.['true'] ?? values.payloads['true'] ?? '',
  }))
}

export interface AudienceCount {
  matching: number
  of: number
  /** The conditions that could not be counted, a sentence each. With any, fewer may fit. */
  left: string[]
  /** Lists the counted people; undefined if all fit. */
  filter: Filter | undefined
  /** Whether requests may come from another place or device than the last known one. */
  usesRequest: boolean
}

/** Counts the people of the last 30 days who meet the conditions, saved or not. */
export async function countAudience(
  slug: unknown,
  conditions: unknown,
): Promise<ActionResult<AudienceCount>> {
  const viewer = await requireViewer()
  const { projects } = getProduct()
  const { numbers: flagNumbers } = getProduct().flags
  const answer = await tryEngine(() =>
    flagNumbers.matching(projects.find(asText(slug), viewer).id, { conditions }, viewer),
  )
  return mapOutcome(answer, ({ matching: { share, letIn, ...counted } }) => counted)
}

export async function scheduleFlag(slug: unknown, key: unknown, input: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ flags: { schedules } }, projectId, viewer) =>
    schedules.create(projectId, asText(key), input, viewer),
  )
  return mapOutcome(answer, () => ({}))
}

export async function cancelSchedule(slug: unknown, key: unknown, id: unknown): Promise<ActionResult> {
  return await runProjectChange(slug, ({ flags: { schedules } }, projectId, viewer) =>
    schedules.remove(projectId, asText(key), asText(id), viewer),
  )
}

export async function startGuard(slug: unknown, input: unknown): Promise<ActionResult<{ guard: Guard }>> {
  return await runProjectChange(slug, ({ flags: { guards } }, projectId, viewer) =>
    guards.create(projectId, input, viewer),
  )
}

export async function stopGuard(slug: unknown, id: unknown, rollsBack: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ flags: { guards } }, projectId, viewer) =>
    guards.stop(projectId, asText(id), { rollsBack }, viewer),
  )
  return mapOutcome(answer, () => ({}))
}

/** Keeps a guarded rollout at its step. */
export async function pauseGuard(slug: unknown, id: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ flags: { guards } }, projectId, viewer) =>
    guards.pause(projectId, asText(id), viewer),
  )
  return mapOutcome(answer, () => ({}))
}

export async function resumeGuard(slug: unknown, id: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ flags: { guards } }, projectId, viewer) =>
    guards.resume(projectId, asText(id), viewer),
  )
  return mapOutcome(answer, () => ({}))
}

/** Creates a preview link, which forces flag values in one browser. */
export async function createTryingLink(
  slug: unknown,
  input: unknown,
): Promise<ActionResult<{ path: string; until: Date }>> {
  const viewer = await requireViewer()
  const { projects } = getProduct()
  const { overrideLinks } = getProduct().flags
  const answer = await catchRefusals(() =>
    overrideLinks.make(projects.find(asText(slug), viewer).id, input, viewer),
  )
  return mapOutcome(answer, ({ link }) => link)
}
