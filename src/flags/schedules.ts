import { Temporal } from 'temporal-polyfill'
import { z } from 'zod'
import { operator, requireRight, type Viewer } from '#projects/access'
import { recordAudit } from '#projects/audit'
import { type Outcome, parseInput, failedOutcome } from '#projects/problems'
import type { Projects } from '#projects/projects'
import { newId } from '#projects/secrets'
import type { Store, StoreTransaction } from '#store/store'
import type { World } from '#world/world'
import { type ConditionSet, emptySetting, type Flag, mainEnvironment, type FlagSetting } from './flag'
import { percentage as share } from './internal/field-schemas'
import { saveNextVersion } from './next-version'
import { environmentsOf, flagNamed } from './store'
import { forgetSchedule, saveSchedule, schedulesDue, schedulesOf } from './internal/stored-schedules'

/** Planned changes of a flag in one environment. */
export interface Schedule {
  id: string
  projectId: number
  flagId: number
  flagKey: string
  environment: string
  /** The steps by time. */
  steps: readonly ScheduleStep[]
  /** When the next step is due; undefined once all are done. */
  nextAt: Date | undefined
  createdBy: string
  createdAt: Date
}

export interface ScheduleStep {
  at: Date
  isOn?: boolean | undefined
  /** The new percentage of each condition set, or of one set. */
  percentage?: number | undefined
  /** The index of the condition set. */
  condition?: number | undefined
  doneAt?: Date | undefined
  /** Why a due step changed nothing. */
  trouble?: string | undefined
}

const mostSteps = 100
const mostSchedules = 50

const nameATime =
  'Give an instant such as "2026-03-02T10:00:00Z", or a time of the project’s clocks: "2026-03-02T10:00".'

const newStep = z
  .strictObject({
    at: z.string({ error: nameATime }),
    isOn: z.boolean({ error: 'Say true or false.' }).optional(),
    percentage: share.optional(),
    condition: z.number().int().min(0).optional(),
  })
  .refine(({ isOn, percentage }) => isOn !== undefined || percentage !== undefined, {
    error: 'Say what is to happen: "isOn", "percentage" or both.',
  })

export const newSchedule = z.strictObject({
  environment: z.string({ error: 'Name the environment.' }).default(mainEnvironment),
  steps: z
    .array(newStep, { error: 'Give a list of steps.' })
    .min(1, 'Give at least one step.')
    .max(mostSteps, `Give at most ${mostSteps} steps.`),
})
type NewSchedule = z.infer<typeof newSchedule>

interface SchedulesDependencies {
  store: Store
  world: World
  projects: Pick<Projects, 'numbered'>
}

/** A time slightly in the past counts as now, because filling in a form takes time. */
const graceMs = 60_000

const missing = failedOutcome('There is no such flag in this project.')

export class Schedules {
  constructor(private readonly dependencies: SchedulesDependencies) {}

  /** Returns schedules of all flags or of one, pending ones first. */
  async list(projectId: number, viewer: Viewer, key?: string): Promise<Schedule[]> {
    requireRight('project:read', projectId, viewer)
    const { store } = this.dependencies
    if (key === undefined) return await schedulesOf(store, projectId)
    const flag = await flagNamed(store, projectId, key)
    return flag ? await schedulesOf(store, projectId, flag.id) : []
  }

  async create(
    projectId: number,
    key: string,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ schedule: Schedule }>> {
    requireRight('flags:write', projectId, viewer)
    const parsed = parseInput(newSchedule, input)
    if (!parsed.done) return parsed
    const read = this.stepsIn(parsed.value, projectId)
    if (!read.done) return read
    const { world, store } = this.dependencies
    return await store.transaction(async (transaction) => {
      const flag = await flagNamed(transaction, projectId, key)
      if (!flag) return missing
      const objection = await objectionTo(parsed.value, flag, transaction)
      if (objection) return objection
      const schedule: Schedule = {
        id: newId(world),
        projectId,
        flagId: flag.id,
        flagKey: key,
        environment: parsed.value.environment,
        steps: read.steps,
        nextAt: read.steps[0]?.at,
        createdBy: viewer.name,
        createdAt: world.now(),
      }
      await saveSchedule(transaction, schedule)
      await transaction.announce('schedules')
      const audited = {
        action: 'flag.schedule',
        subject: key,
        projectId,
        after: auditedFields(schedule),
      } as const
      await recordAudit(transaction, audited, viewer, world.now())
      return { done: true, schedule }
    })
  }

  /** Removes a schedule. Completed steps stay in effect. */
  async remove(projectId: number, key: string, id: string, viewer: Viewer): Promise<Outcome> {
    requireRight('flags:write', projectId, viewer)
    return await this.dependencies.store.transaction(async (transaction) => {
      const all = await schedulesOf(transaction, projectId)
      const schedule = all.find((one) => one.id === id && one.flagKey === key)
      if (!schedule) return failedOutcome('There is no such schedule for this flag.')
      await forgetSchedule(transaction, id)
      await transaction.announce('schedules')
      const before = auditedFields(schedule)
      const audited = { action: 'flag.unschedule', subject: key, projectId, before } as const
      await recordAudit(transaction, audited, viewer, this.dependencies.world.now())
      return { done: true }
    })
  }

  /**
   * Takes all due steps of all schedules, the oldest first, so that steps missed during downtime happen in their
   * intended order. Returns the number of steps taken.
   */
  async run(): Promise<number> {
    const now = this.dependencies.world.now()
    const due = (await schedulesDue(this.dependencies.store, now)).flatMap((schedule) =>
      schedule.steps.flatMap((step, place) =>
        step.doneAt === undefined && step.at <= now ? [{ schedule, place, at: step.at.getTime() }] : [],
      ),
    )
    for (const { schedule, place } of due.toSorted((one, other) => one.at - other.at))
      await this.dependencies.store.transaction((transaction) => this.take(transaction, schedule, place))
    return due.length
  }

  /** Reads the schedule again: another process may have taken the step, or a member may have deleted it. */
  private async take(
    transaction: StoreTransaction,
    { id, projectId }: Schedule,
    place: number,
  ): Promise<void> {
    const schedule = (await schedulesOf(transaction, projectId)).find((one) => one.id === id)
    const step = schedule?.steps[place]
    if (!schedule || !step || step.doneAt) return
    const trouble = await this.apply(transaction, schedule, step)
    const done = { ...step, doneAt: this.dependencies.world.now(), trouble }
    const steps = schedule.steps.with(place, done)
    const nextAt = steps.find(({ doneAt }) => doneAt === undefined)?.at
    await saveSchedule(transaction, { ...schedule, steps, nextAt })
    await transaction.announce('schedules')
  }

  private async apply(
    transaction: StoreTransaction,
    { projectId, flagKey, environment, createdBy }: Schedule,
    step: ScheduleStep,
  ): Promise<string | undefined> {
    const flag = await flagNamed(transaction, projectId, flagKey)
    if (!flag || flag.archivedAt) return 'The flag was archived by then.'
    const before = flag.environments[environment] ?? emptySetting
    const after = applyStep(before, step)
    if (JSON.stringify(after) === JSON.stringify(before)) return undefined
    const environments = { ...flag.environments, [environment]: after }
    await saveNextVersion(
      transaction,
      { ...flag, environments },
      {
        note: `By the schedule of ${createdBy}.`,
        before: { [environment]: summaryOf(before) },
        after: { [environment]: summaryOf(after) },
        viewer: scheduleOperator,
        now: this.dependencies.world.now(),
      },
    )
    return undefined
  }

  private stepsIn({ steps }: NewSchedule, projectId: number): Outcome<{ steps: ScheduleStep[] }> {
    const zone = this.dependencies.projects.numbered(projectId)?.timeZone ?? 'UTC'
    const earliest = this.dependencies.world.now().getTime() - graceMs
    const read: ScheduleStep[] = []
    for (const [place, { at, ...does }] of steps.entries()) {
      const instant = instantOn(at, zone)
      const field = `steps.${place}.at`
      if (!instant) return failedOutcome(nameATime, field)
      if (instant.getTime() < earliest)
        return failedOutcome('This is past already. Choose a later time.', field)
      if (read.some((other) => other.at.getTime() === instant.getTime()))
        return failedOutcome('Two steps are at the same time. Make them one, or move one of them.', field)
      read.push({ at: instant, ...does })
    }
    return { done: true, steps: read.toSorted((one, other) => one.at.getTime() - other.at.getTime()) }
  }
}

const scheduleOperator = operator('schedule')

/** If the clocks skip the time, it is moved by the skipped length; if they show it twice, the first one counts. */
export function instantOn(text: string, timeZone: string): Date | undefined {
  try {
    if (/(?:z|[+-]\d\d:?\d\d)$/i.test(text)) return new Date(Temporal.Instant.from(text).epochMilliseconds)
    const local = Temporal.PlainDateTime.from(text)
    return new Date(local.toZonedDateTime(timeZone, { disambiguation: 'compatible' }).epochMilliseconds)
  } catch {
    return undefined
  }
}

const everybody: ConditionSet = {
  description: '',
  conditions: [],
  percentage: 0,
  variant: undefined,
  isLast: false,
}

/** Applies a step to a setting. A percentage without a condition sets the share of all visitors. */
export function applyStep(setting: FlagSetting, { isOn, percentage, condition }: ScheduleStep): FlagSetting {
  const turned = { ...setting, isOn: isOn ?? setting.isOn }
  if (percentage === undefined) return turned
  const sets = setting.conditions.length === 0 ? [everybody] : setting.conditions
  const conditions = sets.map((set, place) =>
    condition === undefined || condition === place ? { ...set, percentage } : set,
  )
  return { ...turned, conditions }
}

async function objectionTo(
  { environment, steps }: NewSchedule,
  flag: Flag,
  transaction: StoreTransaction,
): Promise<ReturnType<typeof failedOutcome> | undefined> {
  if (flag.archivedAt) return failedOutcome('The flag is archived. Restore it first.')
  const known = (await environmentsOf(transaction, flag.projectId)).map(({ name }) => name)
  if (![mainEnvironment, ...known].includes(environment))
    return failedOutcome(`There is no environment “${environment}” in this project.`, 'environment')
  const all = await schedulesOf(transaction, flag.projectId, flag.id)
  if (all.filter(({ nextAt }) => nextAt).length >= mostSchedules)
    return failedOutcome(`A flag has at most ${mostSchedules} schedules. Remove one first.`)
  const sets = flag.environments[environment]?.conditions.length ?? 0
  const place = steps.findIndex(({ condition = 0 }) => condition > 0 && condition >= sets)
  if (place === -1) return undefined
  return failedOutcome(
    `There are only ${sets} condition sets in “${environment}”.`,
    `steps.${place}.condition`,
  )
}

const auditedFields = ({ environment, steps }: Schedule) => ({ environment, steps })

const summaryOf = ({ isOn, conditions }: FlagSetting) => ({
  isOn,
  percentages: conditions.map(({ percentage }) => percentage),
})
