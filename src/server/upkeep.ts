/** What has to be done now and then beside taking events in. */
export interface Upkeep {
  /** Begins nothing any more; what is under way may fail, and nobody needs to hear of it. */
  stop(): void
}

/** One chore after the other, the whole round every few minutes. What fails is told, and tried again in the next round. */
export function beginUpkeep(
  chores: readonly (() => unknown)[],
  { everyMs, onTrouble }: { everyMs: number; onTrouble: (problem: unknown) => void },
): Upkeep {
  let isUnderWay = false
  let hasStopped = false

  async function round(): Promise<void> {
    if (isUnderWay) return
    isUnderWay = true
    for (const chore of chores) if (!hasStopped) await attempt(chore)
    isUnderWay = false
  }

  async function attempt(chore: () => unknown): Promise<void> {
    try {
      await chore()
    } catch (problem) {
      if (!hasStopped) onTrouble(problem)
    }
  }

  const timer = setInterval(() => void round(), everyMs).unref()
  return {
    stop() {
      hasStopped = true
      clearInterval(timer)
    },
  }
}
