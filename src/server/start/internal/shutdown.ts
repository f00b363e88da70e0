import { setTimeout as pause } from 'node:timers/promises'
import type { Engine } from '#engine/engine'
import type { DemoChild } from './demo-child'
import type { Front } from '../../internal/front'
import type { HeldFolder } from '../lock'
import type { Log } from '../../log'
import type { PagesProcess } from '#site-serving/pages-process'
import type { Product } from '../../product'
import type { SiteKit } from '#site-kit/site-kit'
import type { SiteServing } from '#site-serving/site-serving'

/** The parts started so far, which must be ended. */
export interface StartedParts {
  demo?: DemoChild
  front?: Front
  folder?: HeldFolder
  engine?: Engine
  product?: Product
  pages?: PagesProcess
  visiting?: SiteServing | undefined
  kit?: SiteKit | undefined
}

/** The limit of a stop, whatever hangs: acknowledged data is on disk long before. */
const shutdownTimeoutMs = 9500
/** The least of it that is left after a long drain. */
const endTimeoutMs = 6500

interface ShutdownSettings {
  /** For how long the front still answers after it says that it is not ready. */
  drainMs: number
  exit: (code: number) => void
}

/** The order matters: first no new work, then work in progress finishes, then its dependencies end. */
const shutdownSteps: readonly { name: string; end: (started: StartedParts) => Promise<void> | void }[] = [
  { name: 'the demo', end: ({ demo }) => demo?.stop() },
  { name: 'the front', end: ({ front }) => front?.drain() },
  { name: 'the visits', end: ({ visiting }) => visiting?.close() },
  { name: 'the site folder', end: ({ kit }) => kit?.close() },
  { name: 'the pages', end: ({ pages }) => pages?.stop() },
  { name: 'the store', end: ({ product }) => product?.close() },
  { name: 'the engine', end: ({ engine }) => engine?.close() },
  { name: 'the data folder', end: ({ folder }) => folder?.release('stopped') },
]

export class Shutdown {
  hasBegun = false

  constructor(
    private readonly started: StartedParts,
    private readonly log: Log,
    private readonly settings: ShutdownSettings,
  ) {}

  /**
   * Ends all parts in order and then the process. A failing part does not stop the others. With `isAnnounced`, load
   * balancers get the time to send no more first.
   */
  async end(exitCode: number, { isAnnounced = false } = {}): Promise<void> {
    if (this.hasBegun) return
    this.hasBegun = true
    const { drainMs } = this.settings
    const { front, pages } = this.started
    // a front that was never ready gets nothing from a load balancer
    const waits = isAnnounced && drainMs > 0 && front !== undefined && pages !== undefined
    const timeoutMs = waits ? Math.max(shutdownTimeoutMs, drainMs + endTimeoutMs) : shutdownTimeoutMs
    const timeout = setTimeout(() => this.exitAfterTimeout(exitCode), timeoutMs)
    if (waits) {
      front.announceStop()
      await pause(drainMs)
    }
    for (const { name, end } of shutdownSteps) {
      try {
        await end(this.started)
      } catch (problem) {
        this.log.error({ err: problem }, `${name} did not stop in order`)
      }
    }
    this.log.info('stopped')
    clearTimeout(timeout)
    this.settings.exit(exitCode)
  }

  private exitAfterTimeout(exitCode: number): void {
    this.log.warn('stopping took too long; the rest is cut off')
    this.settings.exit(exitCode)
  }
}
