import { z } from 'zod'
import type { Insights } from '#insights/ask'
import { type Goal, goal } from '#insights/compile/goal'
import type { Goals } from '#insights/goals/goals'
import { periodText } from '#insights/calendar/period'
import type { ReaderOrigin, ReadingAnswer } from '#insights/kinds/reading/answer'
import type { ClientCoverageAnswer } from '#insights/kinds/client-coverage/answer'
import { addressOf, type Post, type Trial } from './post'
import type { Published } from './published/published'
import { type TrialVerdict, type VariantCounts, trialVerdict } from './trial-verdict'
import { operator, requireRight, type Viewer } from '#projects/access'
import { type Outcome, parseInput, failedOutcome } from '#projects/problems'
import type { World } from '#world/world'
import { StaleWhileRevalidate } from './internal/stale-while-revalidate'

export interface PostFigures {
  views: number
  readers: number
  /** The share of the readers who read three quarters of it; null without readers. */
  readThrough: number | null
  /** The median reading time, of the browsers that report it. */
  engagedMs: number | null
  /** Sorted by readers; null if the referrer is unknown. */
  sources: ReaderOrigin[]
  channels: ReaderOrigin[]
  /** Figures by day, in the project's time zone. */
  byDay: { day: string; views: number; readers: number }[]
}

interface PostReaders {
  readers: number
  views: number
}

interface PostAttribution {
  persons: number
  /** Null for a funnel, whose steps have no revenue. */
  revenue: number | null
}

export interface TrialFigures {
  variants: VariantCounts[]
  /** Persons who were shown several variants; they are excluded from the numbers. */
  sawSeveral: number
  verdict: TrialVerdict
}

interface BlockedShare extends ClientCoverageAnswer {
  /** Share of the visitors who were served something and whose browsers sent no event; null without visitors. */
  share: number | null
  /** A warning where the sample is too small to be meaningful. */
  note: string | undefined
}

const readingInput = z.object({ period: periodText.default('30d') })
const attributionInput = readingInput.extend({
  /** A goal by its id, or a goal's definition. */
  goal: z.union([z.string().min(1).max(100), goal]).optional(),
  /** A funnel query; reading the post comes before its first step. */
  funnel: z.looseObject({ steps: z.array(z.unknown()).min(1, 'A funnel needs a step.') }).optional(),
  attribution: z.enum(['first', 'last']).default('last'),
  days: z.number().int().min(1).max(365).default(30),
})
type AttributionInput = z.infer<typeof attributionInput>

interface Dependencies {
  insights: Pick<Insights, 'ask'>
  goals: Pick<Goals, 'list'>
  published: Pick<Published, 'posts' | 'pages' | 'addressesOf'>
  world: World
}

const minute = 60_000
const day = 24 * 60 * minute
const readersNowWindowMs = 5 * minute
const maxReadersNow = 10_000
const maxListed = 100
/** The minimum sample: below it, a single visitor is a percent. */
const minServed = 100

/** The viewer for public figures, which do not depend on who reads the page. */
const siteViewer = operator('site')

/** Joins posts with figures on their readers, from ordinary insights. */
export class PostNumbers {
  private readonly ranks: StaleWhileRevalidate<readonly RankedPost[]>
  private readonly currentReaders: StaleWhileRevalidate<CurrentReaders>

  constructor(private readonly dependencies: Dependencies) {
    this.ranks = new StaleWhileRevalidate(dependencies.world)
    this.currentReaders = new StaleWhileRevalidate(dependencies.world)
  }

  async of(
    projectId: number,
    post: Post,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ numbers: PostFigures }>> {
    requireRight('events:read', projectId, viewer)
    const parsed = parseInput(readingInput, input)
    if (!parsed.done) return parsed
    const { period } = parsed.value
    const query = { kind: 'reading' as const, period, pages: [this.pathsOf(post)], interval: 'day' }
    const outcome = await this.dependencies.insights.ask(projectId, query, viewer)
    return outcome.done ? { done: true, numbers: figuresIn(outcome.answer) } : outcome
  }

  /** Returns figures of all published posts by address, from one query. */
  async list(
    projectId: number,
    period: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ readers: ReadonlyMap<string, PostReaders> }>> {
    requireRight('events:read', projectId, viewer)
    const parsed = parseInput(readingInput, { period })
    if (!parsed.done) return parsed
    const posts = this.published(projectId)
    const outcome = await this.readersOf(projectId, posts, parsed.value.period, viewer)
    if (!outcome.done) return outcome
    const none = { readers: 0, views: 0 }
    return {
      done: true,
      readers: new Map(
        posts.map((post) => [addressOf(post), outcome.readers.get(this.nameOf(post)) ?? none]),
      ),
    }
  }

  /** Conversions that are attributed to the post, by first or last touch. */
  async attributionFor(
    projectId: number,
    post: Post,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ led: PostAttribution }>> {
    requireRight('events:read', projectId, viewer)
    const parsed = parseInput(attributionInput, input)
    if (!parsed.done) return parsed
    if (parsed.value.funnel) return await this.attributionByFunnel(projectId, post, parsed.value, viewer)
    const requested = await this.goalIn(projectId, parsed.value, viewer)
    if (!requested.done) return requested
    const { period, attribution, days } = parsed.value
    const pages = this.pagesOf([post, ...this.published(projectId)])
    const query = {
      kind: 'attribution' as const,
      period,
      goal: requested.goal,
      attribution,
      days,
      pages,
      limit: pages.length,
    }
    const outcome = await this.dependencies.insights.ask(projectId, query, viewer)
    if (!outcome.done) return outcome
    const found = outcome.answer.pages.find(({ page }) => page === this.nameOf(post))
    return { done: true, led: { persons: found?.persons ?? 0, revenue: found?.revenue ?? 0 } }
  }

  /** Returns the figures of a running or ended trial; people count by the variant they saw first. */
  async trial(projectId: number, trial: Trial, viewer: Viewer): Promise<Outcome<{ trial: TrialFigures }>> {
    requireRight('events:read', projectId, viewer)
    const post = this.published(projectId).find((one) => one.trial?.key === trial.key)
    if (!post)
      return failedOutcome('The post of this trial is not published. Publish it to see what the trial did.')
    const query = {
      kind: 'trial' as const,
      period: `${trial.startedAt.toISOString()}..${this.endOf(trial).toISOString()}`,
      flag: trial.key,
      variants: trial.variants.map(({ key }) => key),
      pages: [this.pathsOf(post)],
    }
    const outcome = await this.dependencies.insights.ask(projectId, query, viewer)
    if (!outcome.done) return outcome
    const { variants, sawSeveral } = outcome.answer
    const verdict = trialVerdict(trial, variants, this.endOf(trial))
    return { done: true, trial: { variants, sawSeveral, verdict } }
  }

  /** The share of visitors whose browsers send no events although they were served a variant. */
  async blocked(
    projectId: number,
    period: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ blocked: BlockedShare }>> {
    requireRight('events:read', projectId, viewer)
    const parsed = parseInput(readingInput, { period })
    if (!parsed.done) return parsed
    const query = { kind: 'client-coverage' as const, period: parsed.value.period }
    const outcome = await this.dependencies.insights.ask(projectId, query, viewer)
    return outcome.done ? { done: true, blocked: blockedIn(outcome.answer) } : outcome
  }

  /** Public, from memory; empty if the query fails. */
  async mostRead(projectId: number, days: number, count: number): Promise<readonly RankedPost[]> {
    const within = whole(days, 1, 365)
    const ranked = await this.ranks.read(`${projectId} ${within}`, {
      freshForMs: minute,
      staleForMs: day,
      load: () => this.rank(projectId, within),
      fallback: [],
    })
    return ranked.slice(0, whole(count, 1, maxListed))
  }

  /** Number of people who opened a page in the last five minutes, on one address or the whole site. Public. */
  async readersNow(projectId: number, address?: string): Promise<number> {
    const { readers, byPath } = await this.currentReaders.read(String(projectId), {
      freshForMs: 10_000,
      staleForMs: 0,
      load: () => this.countCurrentReaders(projectId),
      fallback: { readers: 0, byPath: new Map() },
    })
    return address === undefined ? readers : (byPath.get(asPathname(address)) ?? 0)
  }

  private async rank(projectId: number, days: number): Promise<readonly RankedPost[]> {
    const posts = this.dependencies.published.posts(projectId, this.dependencies.world.now())
    const outcome = await this.readersOf(projectId, posts, `${days}d`, siteViewer)
    if (!outcome.done) throw new Error(outcome.problems.map(({ message }) => message).join(' '))
    const byName = new Map(posts.map((post) => [this.nameOf(post), addressOf(post)]))
    return Array.from(outcome.readers)
      .flatMap(([name, { readers }]) => ({ address: byName.get(name) ?? name, readers }))
      .slice(0, maxListed)
  }

  private async countCurrentReaders(projectId: number): Promise<CurrentReaders> {
    const now = this.dependencies.world.now()
    const period = `${earlier(now, readersNowWindowMs).toISOString()}..${now.toISOString()}`
    const query = { kind: 'reading' as const, period, details: false, limit: maxReadersNow }
    const outcome = await this.dependencies.insights.ask(projectId, query, siteViewer)
    if (!outcome.done) throw new Error(outcome.problems.map(({ message }) => message).join(' '))
    const { readers, pages } = outcome.answer
    return { readers, byPath: new Map(pages.map((one) => [one.page, one.readers])) }
  }

  /** Sorted by readers, keyed by the post's first path; posts without readers are left out. */
  private async readersOf(
    projectId: number,
    posts: readonly Post[],
    period: string,
    viewer: Viewer,
  ): Promise<Outcome<{ readers: ReadonlyMap<string, PostReaders> }>> {
    if (posts.length === 0) return { done: true, readers: new Map() }
    const pages = this.pagesOf(posts)
    const query = { kind: 'reading' as const, period, pages, details: false, limit: pages.length }
    const outcome = await this.dependencies.insights.ask(projectId, query, viewer)
    if (!outcome.done) return outcome
    const read = outcome.answer.pages.map(({ page, readers, views }) => [page, { readers, views }] as const)
    return { done: true, readers: new Map(read) }
  }

  private async attributionByFunnel(
    projectId: number,
    post: Post,
    { funnel, period }: AttributionInput,
    viewer: Viewer,
  ): Promise<Outcome<{ led: PostAttribution }>> {
    const isPost = { type: 'event', key: '$pathname', operator: 'exact', value: this.pathsOf(post) }
    const steps = [{ event: '$pageview', label: 'Read the post', filter: isPost }, ...(funnel?.steps ?? [])]
    const query = {
      ...funnel,
      kind: 'funnel' as const,
      period,
      steps,
      view: 'steps',
      breakdown: undefined,
    }
    const outcome = await this.dependencies.insights.ask(projectId, query, viewer)
    if (!outcome.done) return outcome
    return { done: true, led: { persons: outcome.answer.steps.at(-1)?.persons ?? 0, revenue: null } }
  }

  private async goalIn(
    projectId: number,
    { goal: goalId }: AttributionInput,
    viewer: Viewer,
  ): Promise<Outcome<{ goal: Goal }>> {
    if (goalId === undefined) return failedOutcome('Say what it may have led to: a goal or a funnel.', 'goal')
    if (typeof goalId !== 'string') return { done: true, goal: goalId }
    const goals = await this.dependencies.goals.list(projectId, viewer)
    const saved = goals.find(({ id }) => id === goalId)
    return saved
      ? { done: true, goal: saved.goal }
      : failedOutcome('There is no such goal in this project. Choose another.', 'goal')
  }

  private published(projectId: number): readonly Post[] {
    const { published, world } = this.dependencies
    const now = world.now()
    return [...published.posts(projectId, now), ...published.pages(projectId, now)]
  }

  private pagesOf(posts: readonly Post[]): string[][] {
    return posts.map((post) => this.pathsOf(post))
  }

  private pathsOf(post: Post): string[] {
    return [...new Set(this.dependencies.published.addressesOf(post).map(asPathname))]
  }

  private nameOf(post: Post): string {
    return asPathname(addressOf(post))
  }

  /** Ends a running trial with this minute, so that queries within a minute share a cache entry. */
  private endOf({ startedAt, state }: Trial): Date {
    const now = this.dependencies.world.now().getTime()
    const end = state.name === 'running' ? Math.ceil(now / minute) * minute : state.at.getTime()
    return new Date(Math.max(end, startedAt.getTime() + 1))
  }
}

interface RankedPost {
  address: string
  readers: number
}

interface CurrentReaders {
  readers: number
  byPath: ReadonlyMap<string, number>
}

/** The path as browsers and events have it. */
const asPathname = (address: string): string => new URL(address, 'http://here.invalid').pathname

const earlier = (at: Date, ms: number): Date => new Date(at.getTime() - ms)

const whole = (number: number, least: number, most: number): number =>
  Math.min(most, Math.max(least, Math.trunc(number) || least))

function figuresIn({ pages, starts, course = [], sources = [], channels = [] }: ReadingAnswer): PostFigures {
  const [page] = pages
  return {
    views: page?.views ?? 0,
    readers: page?.readers ?? 0,
    readThrough: page?.readThrough ?? null,
    engagedMs: page?.engagedMs ?? null,
    sources,
    channels,
    byDay: course.map((counts, i) => ({ day: starts[i] ?? '', ...counts })),
  }
}

function blockedIn({ served, seen }: ClientCoverageAnswer): BlockedShare {
  const note =
    served < minServed
      ? `Of ${served} visitors only: with more of them, this may be another number.`
      : undefined
  return { served, seen, share: served > 0 ? (served - seen) / served : null, note }
}
