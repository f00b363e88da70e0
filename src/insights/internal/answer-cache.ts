import { LRUCache } from 'lru-cache'
import { heapShare } from '#world/heap-share'
import { cacheClock } from '#world/world'
import { answerBytes } from './answer-bytes'

/** An answer, and when it was computed. */
interface CachedAnswer<Value> {
  value: Value
  at: Date
  tookMs: number
}

const mostAnswers = 500
/** Of all answers together. One that is larger is computed each time. */
const mostBytes = heapShare(0.1)
const longestMs = 60_000

/** Answers that are shown beside each other. They expire together, so that they never contradict each other for long. */
export class AnswerGroup {
  private slowestMs = 0
  private computing = 0
  private isLasting = false

  constructor(
    readonly id: number,
    private readonly beganAt: Date,
  ) {}

  isExpired(now: Date): boolean {
    if (this.computing > 0) return false
    if (!this.isLasting) return true
    const keptMs = Math.max(1, Math.floor(Math.min(this.slowestMs * 20, longestMs)))
    return now.getTime() - this.beganAt.getTime() >= keptMs
  }

  begin(): void {
    this.computing++
  }

  end(answer?: { tookMs: number; isLasting: boolean }): void {
    this.computing--
    if (!answer) return
    this.slowestMs = Math.max(this.slowestMs, answer.tookMs)
    this.isLasting ||= answer.isLasting
  }
}

interface Computation<Value> {
  find: () => Promise<Value>
  group: AnswerGroup
}

/**
 * Caches answers in proportion to their cost: one that took half a second is kept for ten, a quick one is not kept.
 * Concurrent callers with the same query wait for the same answer.
 */
export class AnswerCache<Value extends object> {
  private readonly answers: LRUCache<string, CachedAnswer<Value>, Computation<Value>>
  private readonly groups = new LRUCache<string, AnswerGroup>({ max: mostAnswers })
  private begunGroups = 0

  constructor(
    private readonly now: () => Date,
    /** Whether an answer is worth keeping. Others are shared by concurrent callers only. */
    private readonly isLasting: (value: Value) => boolean = () => true,
    bytes = mostBytes,
  ) {
    this.answers = new LRUCache({
      max: mostAnswers,
      maxSize: bytes,
      sizeCalculation: ({ value }) => answerBytes(value, bytes),
      // an expired group leaves its answers behind
      ttl: 2 * longestMs,
      ttlResolution: 0,
      perf: cacheClock({ now }),
      fetchMethod: (_key, _last, { context }) => this.compute(context),
      // one that is replaced meanwhile still answers those who wait
      ignoreFetchAbort: true,
    })
  }

  /** Returns the group of this name. Callers that show several answers keep it, so that all are of one age. */
  group(name: string): AnswerGroup {
    const known = this.groups.get(name)
    return known && !known.isExpired(this.now()) ? known : this.beginGroup(name)
  }

  async find(
    key: string,
    find: () => Promise<Value>,
    isFresh: boolean,
    shownIn?: AnswerGroup,
  ): Promise<CachedAnswer<Value>> {
    // A computation that began before a request for a fresh answer may miss the change behind that request.
    const group = shownIn ?? (isFresh ? this.beginGroup(key) : this.group(key))
    const keyInGroup = `${group.id} ${key}`
    if (isFresh) this.answers.delete(keyInGroup)
    let isOwn = false
    const findOwn = () => {
      isOwn = true
      return find()
    }
    try {
      return await this.answers.forceFetch(keyInGroup, { context: { find: findOwn, group } })
    } catch (problem) {
      // the caller whose computation this one waited for may have cancelled it
      if (isOwn) throw problem
      return await this.find(key, find, false, shownIn)
    }
  }

  private beginGroup(name: string): AnswerGroup {
    const group = new AnswerGroup(++this.begunGroups, this.now())
    this.groups.set(name, group)
    return group
  }

  private async compute({ find, group }: Computation<Value>): Promise<CachedAnswer<Value>> {
    const [at, beganAt] = [this.now(), performance.now()]
    group.begin()
    try {
      const value = await find()
      const tookMs = performance.now() - beganAt
      group.end({ tookMs, isLasting: this.isLasting(value) })
      return { value, at, tookMs }
    } catch (problem) {
      group.end()
      throw problem
    }
  }
}
