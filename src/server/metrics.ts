import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { EngineHealth } from '../engine/engine'
import type { ChildHealth } from '../processes/supervise'
import type { IntakeCounts } from './intake'
import type { JobCount } from './jobs'
import { RequestCounts } from './request-counts'

/** What stands beside the front and can be away: its state now and how often it had to be started again. */
type Companion = Pick<EngineHealth | ChildHealth, 'status' | 'restarts'>

interface Watched {
  engine: () => EngineHealth | undefined
  pages: () => Companion | undefined
  openConnections: () => Promise<number>
  intake: () => IntakeCounts | undefined
  jobs: () => readonly JobCount[] | undefined
}

/** What /_tilth/metrics tells Prometheus. One per front, so that tests can have several. */
export class Metrics {
  private readonly registry = new Registry()
  private readonly requests = new RequestCounts()
  private healthAnswers = 0

  constructor(watched: Watched) {
    collectDefaultMetrics({ register: this.registry })
    this.watchCompanion('engine', watched.engine)
    this.watchCompanion('pages', watched.pages)
    this.watchIntake(watched.intake)
    this.watchJobs(watched.jobs)
    this.gauge('tilth_connections', 'Connections open now.', watched.openConnections)
    this.gauge(
      'tilth_health_answers',
      'Answers of /_tilth/health since the start.',
      async () => this.healthAnswers,
    )
  }

  answered(route: string, status: number, seconds: number): void {
    this.requests.answered(route, status, seconds)
  }

  /** Counted apart: this answer is to cost next to nothing. */
  answeredHealth(): void {
    this.healthAnswers++
  }

  get contentType(): string {
    return this.registry.contentType
  }

  async text(): Promise<string> {
    return `${await this.registry.metrics()}\n${this.requests.text()}`
  }

  private watchCompanion(name: 'engine' | 'pages', health: () => Companion | undefined): void {
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

  /** Accepted is the sum of the others at all times; a difference would be a loss. */
  private watchIntake(intake: Watched['intake']): void {
    const events = new Gauge({
      name: 'tilth_events',
      help: 'Events since the start, by where they are: accepted = stored + deduplicated + quarantined + forgotten + pending.',
      labelNames: ['state'],
      registers: [this.registry],
      collect() {
        for (const [state, amount] of Object.entries(intake()?.whereabouts ?? {})) this.set({ state }, amount)
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

  private watchJobs(jobs: Watched['jobs']): void {
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
