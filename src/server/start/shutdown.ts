import type { Engine } from '#engine/engine'
import type { DemoChild } from './demo-child'
import type { Front } from '../front'
import type { HeldFolder } from './lock'
import type { Log } from '../log'
import type { PagesProcess } from '#site-serving/pages-process'
import type { Product } from '../product'
import type { SiteServing } from '#site-serving/site-serving'

/** What has begun so far: all that has to be ended, at whatever moment. */
export interface StartedParts {
  demo?: DemoChild
  front?: Front
  folder?: HeldFolder
  engine?: Engine
  product?: Product
  pages?: PagesProcess
  visiting?: SiteServing | undefined
}

/** A stop takes no longer than this, whatever hangs: what was promised to anybody is on disk long before. */
const shutdownTimeoutMs = 9500

/** The order is the meaning: nothing new is taken, then what is under way may finish, then what it needed goes. */
const shutdownSteps: readonly { name: string; end: (started: StartedParts) => Promise<void> | void }[] = [
  { name: 'the demo', end: ({ demo }) => demo?.stop() },
  { name: 'the front', end: ({ front }) => front?.drain() },
  { name: 'the visits', end: ({ visiting }) => visiting?.close() },
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
  ) {}

  /** Ends everything in order and then the process; a part that cannot be ended does not keep the others. */
  async end(exitCode: number): Promise<void> {
    if (this.hasBegun) return
    this.hasBegun = true
    setTimeout(() => this.exitAfterTimeout(exitCode), shutdownTimeoutMs)
    for (const { name, end } of shutdownSteps) {
      try {
        await end(this.started)
      } catch (problem) {
        this.log.error({ err: problem }, `${name} did not stop in order`)
      }
    }
    this.log.info('stopped')
    process.exit(exitCode)
  }

  private exitAfterTimeout(exitCode: number): void {
    this.log.warn('stopping took too long; the rest is cut off')
    process.exit(exitCode)
  }
}
