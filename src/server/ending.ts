import type { Engine } from '../engine/engine'
import type { DemoChild } from './demo-child'
import type { Front } from './front'
import type { HeldFolder } from './lock'
import type { Log } from './log'
import type { Pages } from './pages-child'
import type { Product } from './product'
import type { Visiting } from './visiting'

/** What has begun so far: all that has to be ended, at whatever moment. */
export interface Begun {
  demo?: DemoChild
  front?: Front
  folder?: HeldFolder
  engine?: Engine
  product?: Product
  pages?: Pages
  visiting?: Visiting | undefined
}

/** A stop takes no longer than this, whatever hangs: what was promised to anybody is on disk long before. */
const endsWithinMs = 9500

/** The order is the meaning: nothing new is taken, then what is under way may finish, then what it needed goes. */
const steps: readonly { name: string; end: (begun: Begun) => Promise<void> | void }[] = [
  { name: 'the demo', end: ({ demo }) => demo?.stop() },
  { name: 'the front', end: ({ front }) => front?.drain() },
  { name: 'the visits', end: ({ visiting }) => visiting?.close() },
  { name: 'the pages', end: ({ pages }) => pages?.stop() },
  { name: 'the store', end: ({ product }) => product?.close() },
  { name: 'the engine', end: ({ engine }) => engine?.close() },
  { name: 'the data folder', end: ({ folder }) => folder?.release('stopped') },
]

export class Ending {
  hasBegun = false

  constructor(
    private readonly begun: Begun,
    private readonly log: Log,
  ) {}

  /** Ends everything in order and then the process; a part that cannot be ended does not keep the others. */
  async end(exitCode: number): Promise<void> {
    if (this.hasBegun) return
    this.hasBegun = true
    setTimeout(() => this.exitLate(exitCode), endsWithinMs)
    for (const { name, end } of steps) {
      try {
        await end(this.begun)
      } catch (problem) {
        this.log.error({ err: problem }, `${name} did not stop in order`)
      }
    }
    this.log.info('stopped')
    process.exit(exitCode)
  }

  private exitLate(exitCode: number): void {
    this.log.warn('stopping took too long; the rest is cut off')
    process.exit(exitCode)
  }
}
