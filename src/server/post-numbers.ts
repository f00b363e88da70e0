import { z } from 'zod'
import type { Insights } from '../insights/ask'
import { type Goal, goal } from '../insights/goal'
import type { Goals } from '../insights/goals'
import { periodText } from '../insights/period'
import type { LedAnswer, Origin, ReadingAnswer, SeenAnswer, TrialAnswer } from '../insights/reading'
import { addressOf, type Post, type Trial } from '../posts/post'
import type { Published } from '../posts/published'
import { type TrialVerdict, type VariantCounts, verdictOn } from '../posts/trial-verdict'
import { operator, requireRight, type Viewer } from '../projects/access'
import { type Outcome, parse, undone } from '../projects/problems'
import type { World } from '../world/world'
import { Glances } from './glances'

/** How a post was read. */
export interface PostFigures {
  views: number
  readers: number
  /** The share of the readers who got through three quarters of it; null where there are none. */
  readThrough: number | null
  /** How long half of them read at least, of those whose browsers told. */
  engagedMs: number | null
  /** By most readers first; null where nothing tells. */
  sources: Origin[]
  channels: Origin[]
  /** In the project's days. */
  byDay: { day: string; views: number; readers: number }[]
}

export interface PostReaders {
  readers: number
  views: number
}

export interface PostLed {
  persons: number
  /** Null where a funnel is asked about: its steps have no revenue. */
  revenue: number | null
}

export interface TrialFigures {
  variants: VariantCounts[]
  /** Persons who were shown several, and are in none of the numbers. */
  sawSeveral: number
  verdict: TrialVerdict
}

export interface BlockedFigures extends SeenAnswer {
  /** Of those who were served something, the share of whom no browser told; null where there are none. */
  share: number | null
  /** Said where it is of so few that it says little. */
  note: string | undefined
}

const reading = z.object({ period: periodText.default('30d') })
const leading = reading.extend({
  /** A goal by its id, or what it says. */
  goal: z.union([z.string().min(1).max(100), goal]).optional(),
  /** A question of that kind; the post is read before its first step. */
  funnel: z.looseObject({ steps: z.array(z.unknown()).min(1, 'A funnel needs a step.') }).optional(),
  attribution: z.enum(['first', 'last']).default('last'),
  days: z.number().int().min(1).max(365).default(30),
})
type Leading = z.infer<typeof leading>

/** What each kind that is asked here answers. */
interface Answers {
  reading: ReadingAnswer
  led: LedAnswer
  trial: TrialAnswer
  seen: SeenAnswer
  funnel: { steps: readonly { persons: number }[] }
}

interface Ground {
  insights: Pick<Insights, 'ask'>
  goals: Pick<Goals, 'list'>
  published: Pick<Published, 'posts' | 'pages' | 'addressesOf'>
  world: World
}

const minute = 60_000
const day = 24 * 60 * minute
const hereNowMs = 5 * minute
const mostHere = 10_000
const mostListed = 100
/** Below that, one visitor more or less is a percent. */
const fewServed = 100

/** For what everybody may see, whoever asks. */
const everybody = operator('site')

/** Posts, joined with what events tell of their readers: ordinary questions. */
export class PostNumbers {
  private readonly ranks: Glances<readonly RankedPost[]>
  private readonly here: Glances<Here>

  constructor(private readonly ground: Ground) {
    this.ranks = new Glances(ground.world)
    this.here = new Glances(ground.world)
  }

  async of(
    projectId: number,
    post: Post,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ numbers: PostFigures }>> {
    requireRight('events:read', projectId, viewer)
    const parsed = parse(reading, input)
    if (!parsed.done) return parsed
    const { period } = parsed.value
    const question = { kind: 'reading' as const, period, pages: [this.pathsOf(post)], interval: 'day' }
    const asked = await this.ask(projectId, question, viewer)
    return asked.done ? { done: true, numbers: figuresIn(asked.answer) } : asked
  }

  /** Of everything that is published, by address, in one question. */
  async list(
    projectId: number,
    period: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ readers: ReadonlyMap<string, PostReaders> }>> {
    requireRight('events:read', projectId, viewer)
    const parsed = parse(reading, { period })
    if (!parsed.done) return parsed
    const posts = this.published(projectId)
    const asked = await this.readersOf(projectId, posts, parsed.value.period, viewer)
    if (!asked.done) return asked
    const none = { readers: 0, views: 0 }
    return {
      done: true,
      readers: new Map(posts.map((post) => [addressOf(post), asked.readers.get(this.nameOf(post)) ?? none])),
    }
  }

  /** What came of it, where this was the post read first or last before. */
  async ledTo(
    projectId: number,
    post: Post,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ led: PostLed }>> {
    requireRight('events:read', projectId, viewer)
    const parsed = parse(leading, input)
    if (!parsed.done) return parsed
    if (parsed.value.funnel) return await this.throughFunnel(projectId, post, parsed.value, viewer)
    const wanted = await this.goalIn(projectId, parsed.value, viewer)
    if (!wanted.done) return wanted
    const { period, attribution, days } = parsed.value
    const pages = this.pagesOf([post, ...this.published(projectId)])
    const question = {
      kind: 'led' as const,
      period,
      goal: wanted.goal,
      attribution,
      days,
      pages,
      limit: pages.length,
    }
    const asked = await this.ask(projectId, question, viewer)
    if (!asked.done) return asked
    const found = asked.answer.pages.find(({ page }) => page === this.nameOf(post))
    return { done: true, led: { persons: found?.persons ?? 0, revenue: found?.revenue ?? 0 } }
  }

  /** Of a trial that is under way or over; people count by what they were shown first. */
  async trial(projectId: number, trial: Trial, viewer: Viewer): Promise<Outcome<{ trial: TrialFigures }>> {
    requireRight('events:read', projectId, viewer)
    const post = this.published(projectId).find((one) => one.trial?.key === trial.key)
    if (!post) return undone('The post of this trial is not published. Publish it to see what the trial did.')
    const question = {
      kind: 'trial' as const,
      period: `${trial.startedAt.toISOString()}..${this.endOf(trial).toISOString()}`,
      flag: trial.key,
      variants: trial.variants.map(({ key }) => key),
      pages: [this.pathsOf(post)],
    }
    const asked = await this.ask(projectId, question, viewer)
    if (!asked.done) return asked
    const { variants, sawSeveral } = asked.answer
    const verdict = verdictOn(trial, variants, this.endOf(trial))
    return { done: true, trial: { variants, sawSeveral, verdict } }
  }

  /** How many of those who were served a variant have browsers that tell nothing. */
  async blocked(
    projectId: number,
    period: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ blocked: BlockedFigures }>> {
    requireRight('events:read', projectId, viewer)
    const parsed = parse(reading, { period })
    if (!parsed.done) return parsed
    const question = { kind: 'seen' as const, period: parsed.value.period }
    const asked = await this.ask(projectId, question, viewer)
    return asked.done ? { done: true, blocked: blockedIn(asked.answer) } : asked
  }

  /** For everybody to see, from memory; nothing where nobody can be asked. */
  async mostRead(projectId: number, days: number, count: number): Promise<readonly RankedPost[]> {
    const within = whole(days, 1, 365)
    const ranked = await this.ranks.at(`${projectId} ${within}`, {
      goodForMs: minute,
      betterThanNothingMs: day,
      look: () => this.rank(projectId, within),
      otherwise: [],
    })
    return ranked.slice(0, whole(count, 1, mostListed))
  }

  /** Who opened a page within the last five minutes; of one address, or of the whole site. For everybody to see. */
  async readersNow(projectId: number, address?: string): Promise<number> {
    const { readers, byPath } = await this.here.at(String(projectId), {
      goodForMs: 10_000,
      betterThanNothingMs: 0,
      look: () => this.lookAround(projectId),
      otherwise: { readers: 0, byPath: new Map() },
    })
    return address === undefined ? readers : (byPath.get(asSent(address)) ?? 0)
  }

  private async rank(projectId: number, days: number): Promise<readonly RankedPost[]> {
    const posts = this.ground.published.posts(projectId, this.ground.world.now())
    const asked = await this.readersOf(projectId, posts, `${days}d`, everybody)
    if (!asked.done) throw new Error(asked.problems.map(({ message }) => message).join(' '))
    const byName = new Map(posts.map((post) => [this.nameOf(post), addressOf(post)]))
    return Array.from(asked.readers)
      .flatMap(([name, { readers }]) => ({ address: byName.get(name) ?? name, readers }))
      .slice(0, mostListed)
  }

  private async lookAround(projectId: number): Promise<Here> {
    const now = this.ground.world.now()
    const period = `${earlier(now, hereNowMs).toISOString()}..${now.toISOString()}`
    const question = { kind: 'reading' as const, period, details: false, limit: mostHere }
    const asked = await this.ask(projectId, question, everybody)
    if (!asked.done) throw new Error(asked.problems.map(({ message }) => message).join(' '))
    const { readers, pages } = asked.answer
    return { readers, byPath: new Map(pages.map((one) => [one.page, one.readers])) }
  }

  /** By the first of a post's paths, most readers first; who has none is not among them. */
  private async readersOf(
    projectId: number,
    posts: readonly Post[],
    period: string,
    viewer: Viewer,
  ): Promise<Outcome<{ readers: ReadonlyMap<string, PostReaders> }>> {
    if (posts.length === 0) return { done: true, readers: new Map() }
    const pages = this.pagesOf(posts)
    const question = { kind: 'reading' as const, period, pages, details: false, limit: pages.length }
    const asked = await this.ask(projectId, question, viewer)
    if (!asked.done) return asked
    const read = asked.answer.pages.map(({ page, readers, views }) => [page, { readers, views }] as const)
    return { done: true, readers: new Map(read) }
  }

  private async throughFunnel(
    projectId: number,
    post: Post,
    { funnel, period }: Leading,
    viewer: Viewer,
  ): Promise<Outcome<{ led: PostLed }>> {
    const isPost = { type: 'event', key: '$pathname', operator: 'exact', value: this.pathsOf(post) }
    const steps = [{ event: '$pageview', label: 'Read the post', filter: isPost }, ...(funnel?.steps ?? [])]
    const question = {
      ...funnel,
      kind: 'funnel' as const,
      period,
      steps,
      view: 'steps',
      breakdown: undefined,
    }
    const asked = await this.ask(projectId, question, viewer)
    if (!asked.done) return asked
    return { done: true, led: { persons: asked.answer.steps.at(-1)?.persons ?? 0, revenue: null } }
  }

  private async goalIn(
    projectId: number,
    { goal: wanted }: Leading,
    viewer: Viewer,
  ): Promise<Outcome<{ goal: Goal }>> {
    if (wanted === undefined) return undone('Say what it may have led to: a goal or a funnel.', 'goal')
    if (typeof wanted !== 'string') return { done: true, goal: wanted }
    const goals = await this.ground.goals.list(projectId, viewer)
    const saved = goals.find(({ id }) => id === wanted)
    return saved
      ? { done: true, goal: saved.goal }
      : undone('There is no such goal in this project. Choose another.', 'goal')
  }

  private async ask<Kind extends keyof Answers>(
    projectId: number,
    question: { kind: Kind },
    viewer: Viewer,
  ): Promise<Outcome<{ answer: Answers[Kind] }>> {
    const asked = await this.ground.insights.ask(projectId, question, viewer)
    // an answer is of the kind of its question
    return asked.done ? { done: true, answer: asked.answer as Answers[Kind] } : asked
  }

  private published(projectId: number): readonly Post[] {
    const { published, world } = this.ground
    const now = world.now()
    return [...published.posts(projectId, now), ...published.pages(projectId, now)]
  }

  private pagesOf(posts: readonly Post[]): string[][] {
    return posts.map((post) => this.pathsOf(post))
  }

  private pathsOf(post: Post): string[] {
    return [...new Set(this.ground.published.addressesOf(post).map(asSent))]
  }

  private nameOf(post: Post): string {
    return asSent(addressOf(post))
  }

  /** Of one under way the end of this minute, so that the same is not asked anew each second. */
  private endOf({ startedAt, state }: Trial): Date {
    const now = this.ground.world.now().getTime()
    const end = state.name === 'running' ? Math.ceil(now / minute) * minute : state.at.getTime()
    return new Date(Math.max(end, startedAt.getTime() + 1))
  }
}

export interface RankedPost {
  address: string
  readers: number
}

interface Here {
  readers: number
  byPath: ReadonlyMap<string, number>
}

/** As browsers send it, and as events have it. */
const asSent = (address: string): string => new URL(address, 'http://here.invalid').pathname

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

function blockedIn({ served, seen }: SeenAnswer): BlockedFigures {
  const note =
    served < fewServed
      ? `Of ${served} visitors only: with more of them, this may be another number.`
      : undefined
  return { served, seen, share: served > 0 ? (served - seen) / served : null, note }
}
