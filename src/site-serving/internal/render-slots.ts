import { createSemaphore, Slots } from '#world/slots'

interface RenderSlotLimits {
  /** Renderings of one process at once. They share one thread: more at once are no faster, and each holds its trees. */
  atOnce: number
  /** Renderings of one path at once, whatever their queries. */
  perPath: number
  /** Requests that wait for a slot of one path. Further ones are refused. */
  waitingPerPath: number
  /** A rendering that takes longer waits for something else, and others are begun beside it. */
  slowAfterMs: number
  /** Slow renderings beside the others. */
  slowAtOnce: number
}

const usualRenderSlots: RenderSlotLimits = {
  atOnce: 6,
  perPath: 3,
  waitingPerPath: 32,
  slowAfterMs: 1500,
  slowAtOnce: 24,
}

/** Decides which renderings run. A slow page gives its slot to others after a while, so that it never delays them all. */
export class RenderSlots {
  private readonly ofPaths: Slots<string>
  private readonly inTurn: ReturnType<typeof createSemaphore>
  private slowCount = 0

  constructor(private readonly limits: RenderSlotLimits = usualRenderSlots) {
    const { atOnce, perPath, waitingPerPath } = limits
    this.ofPaths = new Slots({ atOnce: Infinity, perOwner: perPath, maxOfOwner: perPath + waitingPerPath })
    this.inTurn = createSemaphore(atOnce)
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
    await this.inTurn(async () => {
      const work = render()
      work.then(resolve, reject)
      await this.endedOrSlow(work)
    })
    return await rendered
  }

  private async endedOrSlow(work: Promise<unknown>): Promise<void> {
    const { promise: isSlow, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(() => {
      if (this.slowCount >= this.limits.slowAtOnce) return
      this.slowCount += 1
      const end = (): number => (this.slowCount -= 1)
      work.then(end, end)
      resolve()
    }, this.limits.slowAfterMs)
    // the caller of `run` gets the failure of a rendering
    await Promise.race([Promise.allSettled([work]), isSlow])
    clearTimeout(timer)
  }
}
