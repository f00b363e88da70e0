import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { HistoryOrigin } from '#ingest/history-preparation'
import type { ProjectIngestSettings } from '#ingest/settings'
import type { PortionPreparer, PortionRequest, PreparedPortion } from '../portion-preparation'

export interface PreparingReply {
  id: number
  prepared?: PreparedPortion | undefined
  problem?: string
}

interface PreparingThreadSettings {
  settingsOf: (projectId: number) => ProjectIngestSettings
  onTrouble: (problem: unknown) => void
  /** The compiled `preparing-program.ts`. */
  program?: string | URL
  idleMs?: number
}

/** The build puts it beside the file that this code becomes part of. */
const builtProgram = new URL('./portion-preparing-program.js', import.meta.url)

/** A portion has up to some MB, and is held several times while it is prepared. */
const maxHeapMegabytes = 192
/** Between two portions of an import lies a second at most, unless its command was stopped. */
const usualIdleMs = 30_000

/**
 * Prepares portions in a thread beside the one that answers requests. It starts with the first portion and ends when none
 * has come for a while. If it fails, its portions are answered with undefined, and it starts again with the next one.
 */
export class PreparingThread implements PortionPreparer {
  private worker: Worker | undefined
  private readonly waiting = new Map<number, (prepared: PreparedPortion | undefined) => void>()
  private lastId = 0
  private isClosed = false
  private idle: NodeJS.Timeout | undefined

  constructor(private readonly settings: PreparingThreadSettings) {}

  async prepare(
    json: Uint8Array,
    origin: HistoryOrigin,
    receivedAt: Date,
  ): Promise<PreparedPortion | undefined> {
    const { settingsOf, program = builtProgram } = this.settings
    // sources that are run unbuilt, as tests run them, have no program
    if (this.isClosed || !existsSync(typeof program === 'string' ? program : fileURLToPath(program)))
      return undefined
    clearTimeout(this.idle)
    const worker = (this.worker ??= this.start(program))
    const id = ++this.lastId
    const { promise, resolve } = Promise.withResolvers<PreparedPortion | undefined>()
    this.waiting.set(id, resolve)
    const request: PortionRequest = { json, origin, settings: settingsOf(origin.projectId), receivedAt }
    // a thread has no origin, unlike a window
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    worker.postMessage({ id, ...request })
    return await promise
  }

  async close(): Promise<void> {
    this.isClosed = true
    await this.end()
  }

  private start(program: string | URL): Worker {
    const worker = new Worker(program, {
      name: 'import-preparation',
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMegabytes },
    })
    worker.unref()
    worker.on('message', (reply: PreparingReply) => this.finish(reply))
    worker.once('error', this.settings.onTrouble)
    worker.once('exit', () => {
      if (this.worker === worker) this.fail()
    })
    return worker
  }

  private finish({ id, prepared, problem }: PreparingReply): void {
    if (problem !== undefined) this.settings.onTrouble(new Error(problem))
    this.waiting.get(id)?.(prepared && withBuffers(prepared))
    this.waiting.delete(id)
    if (this.waiting.size > 0) return
    clearTimeout(this.idle)
    this.idle = setTimeout(
      () => void this.end().catch(this.settings.onTrouble),
      this.settings.idleMs ?? usualIdleMs,
    ).unref()
  }

  private async end(): Promise<void> {
    clearTimeout(this.idle)
    const { worker } = this
    this.fail()
    await worker?.terminate()
  }

  private fail(): void {
    this.worker = undefined
    for (const resolve of this.waiting.values()) resolve(undefined)
    this.waiting.clear()
  }
}

/** A buffer arrives from another thread as a plain array of bytes. */
const withBuffers = ({ portion, history }: PreparedPortion): PreparedPortion => ({
  portion,
  history: {
    ...history,
    records: history.records.map(({ buffer, byteOffset, byteLength }) =>
      Buffer.from(buffer, byteOffset, byteLength),
    ),
  },
})
