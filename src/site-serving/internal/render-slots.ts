import { createSemaphore, Slots } from '#world/slots'

interface RenderSlotLimits {
  /** Renderings of one process at once. They share one thread: more at once are no faster, and each holds its trees. */
  atOnce: number
  /** Those that begin while the process is busy: one after the other, each is answered sooner. */
  busyAtOnce: number
  /** Renderings of one path at once, whatever their queries. */
  perPath: number
  /** Requests that wait for a slot of one path. Further ones are refused. */
  waitingPerPath: number
  /** A rendering that takes longer, in a process with time to spare, waits for something else: others are begun beside it. */
  slowAfterMs: number
  /** Slow renderings beside the others. */
  slowAtOnce: number
}

const usualRenderSlots: RenderSlotLimits = {
  atOnce: 6,
  busyAtOnce: 2,
  perPath: 3,
  waitingPerPath: 32,
  slowAfterMs: 1500,
  slowAtOnce: 24,
}

/** Decides which renderings run. A slow page gives its slot to others after a while, so that it never delays them all. */
export class RenderSlots {
  private readonly ofPaths: Slots<string>
  private readonly inTurn: ReturnType<typeof createSemaphore>
  private readonly whileBusy: ReturnType<typeof createSemaphore>
  private slowCount = 0

  constructor(
    /** Whether the process has all it can do, or gets too little of a processor: then a rendering is long, not slow. */
    private readonly isBusy: () => boolean,
    private readonly limits: RenderSlotLimits = usualRenderSlots,
  ) {
    const { atOnce, busyAtOnce, perPath, waitingPerPath } = limits
    this.ofPaths = new Slots({ atOnce: Infinity, perOwner: perPath, maxOfOwner: perPath + waitingPerPath })
    this.inTurn = createSemaphore(atOnce)
    this.whileBusy = createSemaphore(busyAtOnce)
  }

  /** Runs a rendering in its turn. Undefined if too many requests wait for the same path. */
  async run<Done>(path: string, render: () => Promise<Done>): Promise<Done | undefined> {
    const release = await this.ofPaths.enter(path)
    if (!release) return undefined
    try {
      return await this.runInTurn(render)
    } finally {
      release()
    }
  }

  /** Occupies a slot until the rendering ends or is slow. */
  private async runInTurn<Done>(render: () => Promise<Done>): Promise<Done> {
    const { promise: rendered, resolve, reject } = Promise.withResolvers<Done>()
    const begin = async () => {
      const work = render()
      work.then(resolve, reject)
      await this.endedOrSlow(work)
    }
    await this.inTurn(() => (this.isBusy() ? this.whileBusy(begin) : begin()))
    return await rendered
  }

  private async endedOrSlow(work: Promise<unknown>): Promise<void> {
    const { promise: isSlow, resolve } = Promise.withResolvers<void>()
    const timer = setInterval(() => {
      if (this.slowCount >= this.limits.slowAtOnce || this.isBusy()) return
      clearInterval(timer)
      this.slowCount += 1
      const end = (): number => (this.slowCount -= 1)
      work.then(end, end)
      resolve()
    }, this.limits.slowAfterMs)
    // the caller of `run` gets the failure of a rendering
    await Promise.race([Promise.allSettled([work]), isSlow])
    clearInterval(timer)
  }
}
