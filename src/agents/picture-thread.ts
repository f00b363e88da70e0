import { readFile } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import type { PictureInput } from '#studio/pictures/picture'
import type { PictureReply, PictureTask } from '#studio/pictures/picture-program'
import type { PictureMaker } from './internal/pictures'

interface PictureThreadSettings {
  onTrouble: (problem: unknown) => void
  /** The built `picture-program.ts`. */
  program?: string | URL
  longestMs?: number
}

/** The build puts both beside the file that this code becomes part of. */
const builtProgram = new URL('./picture-program.cjs', import.meta.url)
const builtView = new URL('./picture-view.html', import.meta.url)

const maxHeapMegabytes = 128
const longestDrawingMs = 10_000
/** A thread with React in it is not kept for clients that ask seldom. */
const idleMs = 300_000
/** More than a conversation can show; a table of so many numbers is read in the studio. */
const mostCharacters = 500_000
const mostWaiting = 50

/**
 * Draws pictures in a thread beside the one that answers requests. It starts with the first picture and ends when none was
 * asked for a while. Undefined instead of a picture says that there is none: the thread failed, took too long, or drew too
 * much.
 */
export class PictureThread implements PictureMaker {
  private worker: Worker | undefined
  private readonly waiting = new Map<number, (markup: string | undefined) => void>()
  private lastId = 0
  private document: Promise<string> | undefined
  private idle: NodeJS.Timeout | undefined

  constructor(private readonly settings: PictureThreadSettings) {}

  view(): Promise<string> {
    return (this.document ??= readFile(builtView, 'utf8'))
  }

  async draw(input: PictureInput): Promise<string | undefined> {
    if (this.waiting.size >= mostWaiting) return undefined
    const worker = (this.worker ??= this.start())
    const task: PictureTask = { id: ++this.lastId, input }
    const { promise, resolve } = Promise.withResolvers<string | undefined>()
    this.waiting.set(task.id, resolve)
    const limit = setTimeout(() => this.giveUp(worker), this.settings.longestMs ?? longestDrawingMs)
    try {
      // a thread has no origin, unlike a window
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      worker.postMessage(task)
      return await promise
    } catch (problem) {
      this.settings.onTrouble(problem)
      return undefined
    } finally {
      clearTimeout(limit)
      this.waiting.delete(task.id)
      this.endLater(worker)
    }
  }

  private start(): Worker {
    const worker = new Worker(this.settings.program ?? builtProgram, {
      name: 'pictures',
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMegabytes },
    })
    worker.unref()
    worker.on('message', (reply: PictureReply) => this.finish(reply))
    worker.once('error', this.settings.onTrouble)
    worker.once('exit', () => this.fail(worker))
    return worker
  }

  private finish(reply: PictureReply): void {
    const resolve = this.waiting.get(reply.id)
    if ('problem' in reply) this.settings.onTrouble(new Error(reply.problem))
    resolve?.('markup' in reply && reply.markup.length <= mostCharacters ? reply.markup : undefined)
  }

  /** The drawing that takes too long holds up all that wait behind it. */
  private giveUp(worker: Worker): void {
    if (this.worker !== worker) return
    this.settings.onTrouble(new Error('A picture took too long, and its thread is stopped.'))
    this.fail(worker)
    void worker.terminate()
  }

  private fail(worker: Worker): void {
    if (this.worker !== worker) return
    this.worker = undefined
    for (const resolve of this.waiting.values()) resolve(undefined)
  }

  private endLater(worker: Worker): void {
    clearTimeout(this.idle)
    this.idle = setTimeout(() => {
      if (this.waiting.size === 0) void worker.terminate()
    }, idleMs).unref()
  }
}
