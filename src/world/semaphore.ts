/** Runs up to `atOnce` tasks concurrently; the others wait in order. */
export function createSemaphore(atOnce: number): <Done>(work: () => Promise<Done>) => Promise<Done> {
  const waiting: (() => void)[] = []
  let running = 0

  async function acquire(): Promise<void> {
    if (running < atOnce) running++
    else await new Promise<void>((resolve) => waiting.push(resolve))
  }

  return async (work) => {
    await acquire()
    try {
      return await work()
    } finally {
      // the slot passes to the next waiting task, so that no newer task takes it
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
