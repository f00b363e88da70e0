/** Lets so many through at once; the others wait their turn. */
export function openGate(atOnce: number): <Done>(work: () => Promise<Done>) => Promise<Done> {
  const waiting: (() => void)[] = []
  let inside = 0

  async function enter(): Promise<void> {
    if (inside < atOnce) inside++
    else await new Promise<void>((resolve) => waiting.push(resolve))
  }

  return async (work) => {
    await enter()
    try {
      return await work()
    } finally {
      // handed over rather than given up, so that nobody steps in between
      const next = waiting.shift()
      if (next) next()
      else inside--
    }
  }
}
