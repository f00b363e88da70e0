import { Worker } from 'node:worker_threads'
import { fingerprintOf } from '../internal/memory'
import type { Post } from '../post'
import type { PostSearch } from '../search'
import type { ReadingTasks, VersionedPost } from './internal/reading-tasks'

interface ReadingThreadSettings {
  /** The compiled `reading-program.ts`. */
  program: string | URL
  onTrouble: (problem: unknown) => void
}

type Input<Task extends keyof ReadingTasks> = Parameters<ReadingTasks[Task]>[0]
type Output<Task extends keyof ReadingTasks> = Awaited<ReturnType<ReadingTasks[Task]>>

export interface ReadingReply {
  id: number
  output?: unknown
  problem?: string
}

const maxHeapMegabytes = 192
/** Posts are handed over in parts, so that copying them does not delay pages. */
const handedOverAtOnce = 50

/**
 * Reads posts in a thread beside the one that answers requests: their openings, their HTML for feeds, and the search index.
 * It starts with the first task. If it fails, its tasks are answered with undefined, and it starts again with the next one.
 */
export class ReadingThread {
  private worker: Worker | undefined
  private readonly waiting = new Map<number, (output: unknown) => void>()
  /** The versions of posts that the thread has, by project. */
  private readonly known = new Map<number, ReadonlySet<string>>()
  private lastId = 0
  private isClosed = false

  constructor(private readonly settings: ReadingThreadSettings) {}

  /** Undefined if the thread has failed or is closed. */
  async run<Task extends keyof ReadingTasks>(
    task: Task,
    input: Input<Task>,
  ): Promise<Output<Task> | undefined> {
    if (this.isClosed) return undefined
    const worker = (this.worker ??= this.start())
    const id = ++this.lastId
    const { promise, resolve } = Promise.withResolvers<unknown>()
    this.waiting.set(id, resolve)
    // a thread has no origin, unlike a window
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    worker.postMessage({ id, task, input })
    // the program answers with what the task of this name returns
    return (await promise) as Output<Task> | undefined
  }

  /** A search over these posts, of which only new versions are handed over. The latest one of a project replaces others. */
  async createSearch(projectId: number, posts: readonly Post[], otherwise: PostSearch): Promise<PostSearch> {
    const known = this.known.get(projectId) ?? new Set()
    const added = posts.filter((post) => !known.has(fingerprintOf(post)))
    for (let start = 0; start < added.length; start += handedOverAtOnce)
      await this.run('learn', added.slice(start, start + handedOverAtOnce).map(versioned))
    const versions = posts.map(fingerprintOf)
    // a thread that failed meanwhile has lost what it knew
    const isComplete = await this.run('order', { projectId, versions })
    if (isComplete) this.known.set(projectId, new Set(versions))
    else this.known.delete(projectId)
    const byId = new Map(posts.map((post) => [post.id, post]))
    return async (words) => {
      const found = this.known.has(projectId) ? await this.run('find', { projectId, words }) : undefined
      return found ? found.flatMap((id) => byId.get(id) ?? []) : await otherwise(words)
    }
  }

  async close(): Promise<void> {
    this.isClosed = true
    await this.worker?.terminate()
  }

  private start(): Worker {
    const worker = new Worker(this.settings.program, {
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMegabytes },
    })
    worker.unref()
    worker.on('message', (reply: ReadingReply) => this.finish(reply))
    worker.once('error', this.settings.onTrouble)
    worker.once('exit', () => this.fail())
    return worker
  }

  private finish({ id, output, problem }: ReadingReply): void {
    if (problem !== undefined) this.settings.onTrouble(new Error(problem))
    this.waiting.get(id)?.(output)
    this.waiting.delete(id)
  }

  private fail(): void {
    this.worker = undefined
    this.known.clear()
    for (const resolve of this.waiting.values()) resolve(undefined)
    this.waiting.clear()
  }
}

const versioned = (post: Post): VersionedPost => {
  const { id, title, tags, excerpt, body } = post
  return { id, title, tags, excerpt, body, version: fingerprintOf(post) }
}
