import type { Engine } from '#engine/engine'
import { dateTime, type Sql, sql, uint, uuids } from '#engine/sql'
import { deleteAnnounced, type EventDeletion } from '#ingest/event-tally'
import { ingestSettingsOf } from '#ingest/project-settings'
import type { Insights } from '#insights/ask'
import { type DailyTotal, dailyTotalsIn } from '#insights/compile/daily-totals'
import { periodOn } from '#insights/calendar/period'
import type { QueryScope } from '#insights/scope'
import { operator, requireRight, type Viewer } from '#projects/access'
import { expireAudit, recordAudit } from '#projects/audit'
import type { Project } from '#projects/project'
import type { Projects } from '#projects/projects'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import type { Job } from '#jobs/jobs'
import { addDailyTotals, latestRun, saveRun } from './store'

/** One deletion of a project's old events. A project has one at a time. */
export interface RetentionRun {
  projectId: number
  /** Events before this are deleted, and visits that began before it go as a whole. */
  boundary: Date
  /** Visits that went on after the boundary. */
  sessions: readonly string[]
  /** The totals that stay. Added to the project's totals in the transaction that finishes the run, so exactly once. */
  totals: readonly DailyTotal[]
  events: number
  finishedAt: Date | undefined
}

interface RetentionDependencies {
  store: Store
  engine: Pick<Engine, 'query' | 'command'>
  projects: Pick<Projects, 'list' | 'numbered'>
  insights: Pick<Insights, 'scope'>
  world: World
  /** Deletes events so that no check takes them for lost. */
  deleteEvents: (deletion: EventDeletion) => Promise<void>
}

const dayMs = 24 * 3_600_000
const deadlineMs = 5 * 60_000
/** Days that are counted by one statement. */
const daysAtOnce = 100
const retentionOperator = operator('retention')

/** Deletes what is older than its project keeps it, and keeps daily totals of the visits. */
export class Retention {
  readonly jobs: readonly Job[] = [
    {
      name: 'delete what has expired',
      everyMs: 3_600_000,
      isShared: true,
      queue: 'collection',
      run: () => this.run(),
    },
  ]

  constructor(private readonly dependencies: RetentionDependencies) {}

  /** The latest deletion of events, for the people who decide about it. */
  async latest(projectId: number, viewer: Viewer): Promise<RetentionRun | undefined> {
    requireRight('project:read', projectId, viewer)
    return await latestRun(this.dependencies.store, projectId)
  }

  /** Run every hour; a run that was cut short is finished first, from what it had planned. */
  async run(): Promise<void> {
    for (const project of this.dependencies.projects.list(retentionOperator)) {
      await this.finishPlanned(project)
      const { eventDays, auditDays } = ingestSettingsOf(project).keep
      if (auditDays !== undefined) await this.expireAuditLog(project, auditDays)
      if (eventDays === undefined) continue
      const planned = await this.plan(project, eventDays)
      if (planned) await this.finishPlanned(project)
    }
  }

  private async expireAuditLog(project: Project, auditDays: number): Promise<void> {
    const { store, world } = this.dependencies
    const boundary = boundaryOf(project, auditDays, world.now())
    await store.transaction(async (transaction) => {
      const entries = await expireAudit(transaction, { projectId: project.id, before: boundary }, world.now())
      if (entries === 0) return
      const after = { entries, before: boundary.toISOString() }
      const auditEntry = {
        action: 'audit.expire',
        subject: project.name,
        projectId: project.id,
        after,
      } as const
      await recordAudit(transaction, auditEntry, retentionOperator, world.now())
    })
  }

  /** Counts what is to go and writes it down before anything is deleted. Returns false where nothing is that old. */
  private async plan(project: Project, eventDays: number): Promise<boolean> {
    const { store, insights, world } = this.dependencies
    const boundary = boundaryOf(project, eventDays, world.now())
    const scope = await insights.scope(project.id, retentionOperator)
    const sessions = await sessionsAcross(boundary, scope)
    const expired = isExpired({ projectId: project.id, boundary, sessions })
    const [found] = await scope.run<{ events: number; first: string }>(
      sql`select count() as events, min(timestamp) as first from events where ${expired}`,
    )
    if (!found || found.events === 0) return false
    const totals = await totalsBefore(boundary, new Date(found.first), scope)
    const { events } = found
    await saveRun(store, { projectId: project.id, boundary, sessions, totals, events, finishedAt: undefined })
    return true
  }

  private async finishPlanned(project: Project): Promise<void> {
    const { store, engine, world } = this.dependencies
    const run = await latestRun(store, project.id)
    if (!run || run.finishedAt) return
    await this.dependencies.deleteEvents({
      name: `retention ${run.projectId}`,
      of: isExpired(run),
      run: () => engine.command(sql`delete from events where ${isExpired(run)}`, { deadlineMs }),
    })
    await engine.command(sql`alter table events apply deleted mask settings mutations_sync = 2`, {
      deadlineMs,
    })
    const [left] = await engine.query<{ events: number }>(
      sql`select count() as events from events where ${isExpired(run)}`,
      { lane: 'ingest', deadlineMs },
    )
    if (left && left.events > 0) return
    await store.transaction(async (transaction) => {
      await addDailyTotals(transaction, project.id, run.totals)
      await saveRun(transaction, { ...run, finishedAt: world.now() })
      const after = { events: run.events, before: run.boundary.toISOString() }
      const auditEntry = {
        action: 'events.expire',
        subject: project.name,
        projectId: project.id,
        after,
      } as const
      await recordAudit(transaction, auditEntry, retentionOperator, world.now())
    })
  }
}

/** The first instant that is kept: the beginning of a day on the project's calendar. */
const boundaryOf = ({ timeZone }: Project, days: number, now: Date): Date =>
  periodOn({ timeZone, weekStart: 'monday', now }, `${days}d`).from

const isExpired = ({
  projectId,
  boundary,
  sessions,
}: Pick<RetentionRun, 'projectId' | 'boundary' | 'sessions'>): Sql =>
  sql`project_id = ${uint(projectId)}
    and (timestamp < ${dateTime(boundary)}
      or (timestamp < ${dateTime(new Date(boundary.getTime() + dayMs))} and session_id in ${uuids(sessions)}))`

async function sessionsAcross(boundary: Date, scope: QueryScope): Promise<string[]> {
  const [before, after] = [-dayMs, dayMs].map((ms) => dateTime(new Date(boundary.getTime() + ms)))
  const rows = await scope.run<{ id: string }>(sql`
    select toString(session_id) as id
    from events
    where project_id = ${uint(scope.projectId)}
      and timestamp >= ${before ?? dateTime(boundary)}
      and timestamp < ${after ?? dateTime(boundary)}
      and session_id != toUUID('00000000-0000-0000-0000-000000000000')
    group by session_id
    having min(timestamp) < ${dateTime(boundary)} and max(timestamp) >= ${dateTime(boundary)}`)
  return rows.map(({ id }) => id)
}

async function totalsBefore(boundary: Date, first: Date, scope: QueryScope): Promise<DailyTotal[]> {
  const totals: DailyTotal[] = []
  let until = boundary
  while (until > first) {
    const from = periodOn({ ...scope.calendar, now: new Date(until.getTime() - 1) }, `${daysAtOnce}d`).from
    totals.push(...(await dailyTotalsIn({ from, until }, scope)))
    until = from
  }
  return totals
}

export const openRetention = ({
  store,
  world,
  engine,
  projects,
  insights,
}: Omit<RetentionDependencies, 'deleteEvents'>): Retention =>
  new Retention({
    store,
    world,
    engine,
    projects,
    insights,
    deleteEvents: (deletion) => deleteAnnounced({ store, world, engine }, deletion),
  })
