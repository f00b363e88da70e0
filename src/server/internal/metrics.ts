import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { DetachedPart, EngineHealth } from '#engine/engine'
import { type CollectionState, monthInWords } from '#ingest/collection-state'
import type { ChildHealth } from '#processes/supervise'
import type { DeliveryCounts } from '#dispatch/delivery-counts'
import type { BackupStatus } from '#backups/backup-scheduler'
import type { IntakeCounts } from '#ingest/intake'
import type { JobCount } from '#jobs/jobs'
import { RequestCounts } from '#http/request-counts'

/** A service beside the front that can fail: its state and its number of restarts. */
type ChildState = Pick<EngineHealth | ChildHealth, 'status' | 'restarts'>

interface MetricSources {
  engine: () => EngineHealth | undefined
  pages: () => ChildState | undefined
  openConnections: () => Promise<number>
  /** For how long each copy of the store could not be read again after a change. */
  staleMs: () => Readonly<Record<string, number>> | undefined
  intake: () => IntakeCounts | undefined
  collection: () => CollectionState | undefined
  jobs: () => readonly JobCount[] | undefined
  /** Requests refused because of overload, by class. */
  refused: () => Readonly<Record<string, number>>
  backups: () => Promise<BackupStatus> | undefined
  deliveries: () => Promise<DeliveryCounts> | undefined
}

/** The metrics for Prometheus. Each front has its own, so that tests can run several. */
export class Metrics {
  private readonly registry = new Registry()
  private readonly requests = new RequestCounts()
  private healthAnswers = 0

  constructor(watched: MetricSources) {
    collectDefaultMetrics({ register: this.registry })
    this.watchChild('engine', watched.engine)
    this.watchChild('pages', watched.pages)
    this.watchStale(watched.staleMs)
    this.watchIntake(watched.intake)
    this.watchUuidFilter(watched.intake)
    this.watchCollection(watched.collection)
    this.watchJobs(watched.jobs)
    this.watchRefused(watched)
    this.watchBackups(watched.backups)
    this.watchDeliveries(watched.deliveries)
    this.gauge('tilth_connections', 'Connections open now.', watched.openConnections)
    this.gauge(
      'tilth_health_answers',
      'Answers of /_tilth/health since the start.',
      async () => this.healthAnswers,
    )
  }

  countResponse(route: string, status: number, seconds: number): void {
    this.requests.count(route, status, seconds)
  }

  /** Counts health checks apart, because they must cost next to nothing. */
  countHealthCheck(): void {
    this.healthAnswers++
  }

  get contentType(): string {
    return this.registry.contentType
  }

  async text(): Promise<string> {
    return `${await this.registry.metrics()}\n${this.requests.text()}`
  }

  private watchChild(name: 'engine' | 'pages', health: () => ChildState | undefined): void {
    const state = new Gauge({
      name: `tilth_${name}_status`,
      help: `What the ${name} is doing: 1 for the status it is in.`,
      labelNames: ['status'],
      registers: [this.registry],
      collect() {
        this.reset()
        this.set({ status: health()?.status ?? 'not-started' }, 1)
      },
    })
    state.set({ status: 'not-started' }, 1)
    this.gauge(
      `tilth_${name}_restarts`,
      `How often the ${name} was started again.`,
      async () => health()?.restarts ?? 0,
    )
  }

  private watchStale(staleMs: MetricSources['staleMs']): void {
    const seconds = new Gauge({
      name: 'tilth_stale_seconds',
      help: 'For how long a change could not be read from the store, by what changed: 0 if everything is up to date.',
      labelNames: ['of'],
      registers: [this.registry],
      collect() {
        for (const [of, ms] of Object.entries(staleMs() ?? {})) this.set({ of }, ms / 1000)
      },
    })
    seconds.reset()
  }

  /** `accepted` always equals the sum of the others; a difference would mean lost events. */
  private watchIntake(intake: MetricSources['intake']): void {
    const events = new Gauge({
      name: 'tilth_events',
      help: 'Events since the start, by where they are: accepted = stored + deduplicated + quarantined + forgotten + pending.',
      labelNames: ['state'],
      registers: [this.registry],
      collect() {
        for (const [state, amount] of Object.entries(intake()?.pipeline ?? {})) this.set({ state }, amount)
      },
    })
    events.set({ state: 'accepted' }, 0)
    const dropped = new Gauge({
      name: 'tilth_events_dropped',
      help: 'Events that were understood and not kept, by reason.',
      labelNames: ['reason'],
      registers: [this.registry],
      collect() {
        this.reset()
        for (const { dropped: reasons } of intake()?.projects ?? [])
          for (const [reason, amount] of Object.entries(reasons)) this.inc({ reason }, amount)
      },
    })
    dropped.reset()
  }

  private watchUuidFilter(intake: MetricSources['intake']): void {
    this.gauge(
      'tilth_uuid_filter_bytes',
      'Memory of the filter that recognises uuids of the last 30 days.',
      async () => intake()?.uuidFilter.bytes ?? 0,
    )
    this.gauge(
      'tilth_uuid_filter_days',
      'Days that this filter reaches back; events of the days before are looked up in the engine.',
      async () => intake()?.uuidFilter.days ?? 0,
    )
  }

  private watchRefused({ refused, intake }: Pick<MetricSources, 'refused' | 'intake'>): void {
    const requests = new Gauge({
      name: 'tilth_requests_refused',
      help: 'Requests answered 503 since the start because of overload: events unread, actions.',
      labelNames: ['class'],
      registers: [this.registry],
      collect() {
        for (const [name, amount] of Object.entries(refused())) this.set({ class: name }, amount)
      },
    })
    requests.set({ class: 'events' }, 0)
    const ofEvents = new Gauge({
      name: 'tilth_event_requests_refused',
      help: 'Requests with events answered 503 since the start, by dialect; lost if their client does not send them again.',
      labelNames: ['dialect', 'lost'],
      registers: [this.registry],
      collect() {
        for (const { dialect, isLost, requests: amount } of intake()?.refusedRequests ?? [])
          this.set({ dialect, lost: String(isLost) }, amount)
      },
    })
    ofEvents.reset()
  }

  private watchCollection(state: MetricSources['collection']): void {
    this.gauge(
      'tilth_backlog_events',
      'Events on disk that are not stored yet.',
      async () => state()?.backlog ?? 0,
    )
    this.gauge(
      'tilth_backlog_oldest_seconds',
      'Age of the oldest event that is not stored yet.',
      async () => {
        const oldestAt = state()?.oldestAt
        return oldestAt === undefined ? 0 : Math.max(0, (Date.now() - Date.parse(oldestAt)) / 1000)
      },
    )
    this.gauge(
      'tilth_detached_parts',
      'Parts of the engine that no answer includes.',
      async () => detachedIn(state()).length,
    )
    this.gauge('tilth_detached_rows', 'Rows in these parts, as far as they are known.', async () =>
      detachedIn(state()).reduce((sum, { rows = 0 }) => sum + rows, 0),
    )
    this.watchMonths(
      {
        kind: 'events-lost',
        name: 'tilth_events_missing',
        help: 'Stored events that are missing, by month.',
      },
      state,
    )
    this.watchMonths(
      {
        kind: 'events-unexpected',
        name: 'tilth_events_unexpected',
        help: 'Events in the engine that Tilth did not store, by month.',
      },
      state,
    )
    const troubles = new Gauge({
      name: 'tilth_collection_trouble',
      help: 'What is wrong with collecting events: 1 for each trouble there is.',
      labelNames: ['kind'],
      registers: [this.registry],
      collect() {
        this.reset()
        for (const { kind } of state()?.troubles ?? []) this.set({ kind }, 1)
      },
    })
    troubles.reset()
  }

  private watchMonths(
    { kind, name, help }: { kind: 'events-lost' | 'events-unexpected'; name: string; help: string },
    state: MetricSources['collection'],
  ): void {
    const months = new Gauge({
      name,
      help,
      labelNames: ['month'],
      registers: [this.registry],
      collect() {
        this.reset()
        for (const trouble of state()?.troubles ?? [])
          if (trouble.kind === kind)
            for (const { month, expected, found } of trouble.months)
              this.set(
                { month: month === undefined ? 'unknown' : monthInWords(month) },
                Math.abs(expected - found),
              )
      },
    })
    months.reset()
  }

  private watchJobs(jobs: MetricSources['jobs']): void {
    const runs = new Gauge({
      name: 'tilth_job_runs',
      help: 'How often this front did each job since the start, and how often that failed.',
      labelNames: ['job', 'outcome'],
      registers: [this.registry],
      collect() {
        for (const { name: job, runs: all, failures } of jobs() ?? []) {
          this.set({ job, outcome: 'done' }, all - failures)
          this.set({ job, outcome: 'failed' }, failures)
        }
      },
    })
    runs.reset()
  }

  /** Reports no metrics before the first backup. */
  private watchBackups(backups: MetricSources['backups']): void {
    const facts: readonly [
      name: string,
      help: string,
      value: (status: BackupStatus) => number | undefined,
    ][] = [
      [
        'age_seconds',
        'Time since the point that the last backup holds.',
        ({ lastDone }) => lastDone && (Date.now() - lastDone.askedAt.getTime()) / 1000,
      ],
      ['bytes', 'What the last backup holds.', ({ lastDone }) => lastDone?.bytes],
      [
        'added_bytes',
        'Bytes that the last backup added to its target.',
        ({ lastDone }) => lastDone?.bytesAdded,
      ],
      [
        'duration_seconds',
        'How long the last backup took.',
        ({ lastDone }) => (lastDone?.tookMs !== undefined ? lastDone.tookMs / 1000 : undefined),
      ],
      [
        'failures',
        'How many backups have failed since the last one that was done.',
        ({ failures }) => failures,
      ],
    ]
    for (const [name, help, value] of facts) {
      const gauge = new Gauge({
        name: `tilth_backup_${name}`,
        help,
        registers: [this.registry],
        async collect() {
          this.reset()
          const status = await backups()?.catch(() => undefined)
          const known = status && value(status)
          if (known !== undefined) this.set(known)
        },
      })
      gauge.reset()
    }
  }

  /** Reports no deliveries while the store does not answer. */
  private watchDeliveries(deliveries: MetricSources['deliveries']): void {
    const counts = async () => await deliveries()?.catch(() => undefined)
    const states = new Gauge({
      name: 'tilth_deliveries',
      help: 'Responses to surveys and notifications: waiting, failed in the last 24 hours, and dropped in 90 days because too many waited.',
      labelNames: ['kind', 'state'],
      registers: [this.registry],
      async collect() {
        this.reset()
        const found = await counts()
        if (!found) return
        for (const [kind, { waiting, failedInADay }] of Object.entries(found.kinds)) {
          this.set({ kind, state: 'waiting' }, waiting)
          this.set({ kind, state: 'failed' }, failedInADay)
        }
        this.set({ kind: 'response', state: 'dropped' }, found.dropped)
      },
    })
    states.reset()
    this.gauge(
      'tilth_addresses_unanswered',
      'Addresses of webhooks, and the mail server, that do not answer: they get one attempt at a time.',
      async () => (await counts())?.unanswered ?? 0,
    )
  }

  private gauge(name: string, help: string, value: () => Promise<number>): void {
    const gauge = new Gauge({
      name,
      help,
      registers: [this.registry],
      async collect() {
        this.set(await value())
      },
    })
    gauge.set(0)
  }
}

const detachedIn = (state: CollectionState | undefined): readonly DetachedPart[] =>
  state?.troubles.flatMap((trouble) => (trouble.kind === 'detached' ? trouble.parts : [])) ?? []
