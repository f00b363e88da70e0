const MB = 1024 * 1024

/** How Tilth divides its memory. A change of a number here is a change of what a 1 GB server can carry: measure it. */
export const division = {
  /** The front and the pages, two Node processes. */
  nodeProcesses: 300 * MB,
  /** Of what is left, all that the engine's process may hold; the rest is room for the page cache of its files. */
  engine: 0.9,
  /** What that process holds while it does nothing: its library, its allocator, its own Node. It counts these, too. */
  idle: 300 * MB,
  /** Of what the engine has left to work with: all questions together, so that inserts and merges always find some. */
  questions: 0.8,
  /**
   * Of a question's: when grouping or sorting goes to disk instead. A table of groups doubles while the old one is
   * still there, so it must begin at less than a third.
   */
  spill: 0.3,
  /** Of a question's: what each of its threads needs for what it reads and groups before that is put together. */
  thread: 128 * MB,
  /** Of what the engine has left to work with: what it keeps of files once read, and of expressions once compiled. */
  markCache: 0.05,
  indexCache: 0.03,
  compiledCache: 0.05,
} as const

const leastToWorkWith = 200 * MB

/** Below this the parts above do not fit. */
export const leastMemoryBytes = division.nodeProcesses + (division.idle + leastToWorkWith) / division.engine

/** What the embedded engine may use. */
export interface Budget {
  /** Of its whole process, as the system counts it. */
  engineBytes: number
  questionBytes: number
  spillBytes: number
  markCacheBytes: number
  indexCacheBytes: number
  compiledCacheBytes: number
  questionThreads: number
  /** Of each question while there are several: together they keep the cores as busy, and each works for itself. */
  threadsTogether: number
  questionsAtOnce: number
  backgroundThreads: number
}

/**
 * `memoryBytes` is for the whole of Tilth. A question may take every core: its threads are the last in line for one, so
 * that the front and what is inserted meanwhile go first.
 */
export function budgetFrom(memoryBytes: number, cores: number): Budget {
  const questionsAtOnce = cores > 2 ? 3 : 2
  const engineBytes = Math.round(
    (Math.max(memoryBytes, leastMemoryBytes) - division.nodeProcesses) * division.engine,
  )
  const toWorkWith = engineBytes - division.idle
  const questionBytes = Math.round((toWorkWith * division.questions) / questionsAtOnce)
  const questionThreads = Math.max(1, Math.min(cores, Math.floor(questionBytes / division.thread)))
  return {
    engineBytes,
    questionBytes,
    spillBytes: Math.round(questionBytes * division.spill),
    markCacheBytes: Math.round(toWorkWith * division.markCache),
    indexCacheBytes: Math.round(toWorkWith * division.indexCache),
    compiledCacheBytes: Math.round(toWorkWith * division.compiledCache),
    questionThreads,
    threadsTogether: Math.max(1, Math.floor(questionThreads / questionsAtOnce)),
    questionsAtOnce,
    backgroundThreads: Math.max(1, Math.min(4, Math.floor(cores / 2))),
  }
}

/**
 * What the engine leaves free on its disk. It is taken from what it believes to be free before it begins to write, so
 * that others who write meanwhile do not make it run out in the middle.
 */
export function keptFree(diskBytes: number): number {
  return Math.round(Math.min(256 * MB, diskBytes * 0.05))
}
