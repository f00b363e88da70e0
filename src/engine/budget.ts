const MB = 1024 * 1024

/** The division of Tilth's memory. These numbers decide what a 1 GB server can carry, so measure after a change. */
export const memoryDivision = {
  /** The memory of a Node process besides its heap: program and buffers. */
  frontBesideHeap: 81 * MB,
  pagesBesideHeap: 30 * MB,
  /**
   * The minimum of the heaps, and their share of the memory above the minimum. The front has 57 MB before anything
   * arrives, then batches and bodies; a tour of the studio takes 85 MB in the pages process, and so does a site of
   * 2,000 posts.
   */
  frontHeap: { least: 132 * MB, most: 1024 * MB, part: 0.08 },
  pagesHeap: { least: 112 * MB, most: 1024 * MB, part: 0.05 },
  /** Share of the whole: the page cache of the front. */
  keptPages: { least: 8 * MB, most: 128 * MB, part: 0.035 },
  /** The uuid filter of the front: 3 MB for a million events of 30 days. */
  uuidFilter: { least: 15 * MB, most: 192 * MB, part: 0.02 },
  /**
   * One batch of events on its way into the engine: its text and 512 bytes for each event. Two batches exist at once:
   * in the heap they take about 3.5 times this together (40 MB of 173 MB with `1g`), and outside it the bytes of the
   * inserts once more.
   */
  batch: { least: 6 * MB, most: 22 * MB, part: 0.01 },
  /** The largest request body of an SDK: of ordinary events, a fifth of what all may take. */
  largestBody: { least: 6 * MB, most: 20 * MB, part: 0.004 },
  /**
   * All bodies with what is parsed of them, as `wire/body-weight` estimates it, from before they are parsed until they
   * are on disk: two thirds of what is left of the front's heap.
   */
  heldBodies: { least: 24 * MB, most: 400 * MB, part: 0.03 },
  /** Large bodies as they arrive, beside the heap. */
  receivedBodies: { least: 10 * MB, most: 160 * MB, part: 0.02 },
  /** Forms of visitors until they are answered: the largest has 64 KB, and twenty wait at most. */
  visitorForms: { least: 2 * MB, most: 8 * MB, part: 0.002 },
  /** Forms of members. One network has half of it, and the largest, a post or a list of people, fits into each half. */
  memberForms: { least: 16 * MB, most: 32 * MB, part: 0.01 },
  /** Share of the memory above the minimum: the operating system's cache of the engine's files. */
  fileCache: 0.05,
  /** The engine's library. The engine counts it, but the operating system can evict it, because it is a mapped file. */
  library: 180 * MB,
  /** The memory of the idle engine process: the library, its allocator and its own Node. */
  idle: 250 * MB,
  /** Share of the engine's working memory: all queries together, so that inserts and merges always have the rest. */
  queries: 0.8,
  /** With less working memory than this, queries run one at a time, and freed memory is not kept. */
  severalQueries: 150 * MB,
  /**
   * Share of a query's memory: the point from which grouping and sorting spill to disk. A hash table doubles while the
   * old one still exists, so this must be less than a third.
   */
  spill: 0.3,
  /** The memory of each thread of a query, for reading and grouping before the results are merged. */
  thread: 128 * MB,
  /** Share of the engine's working memory: its caches of files and compiled expressions. */
  markCache: 0.05,
  indexCache: 0.03,
  compiledCache: 0.05,
} as const

/** The parts above do not fit into less. */
export const leastMemoryBytes = 512 * MB

/** The number of processes that render pages: the first serves the studio, further ones the site. */
const pagesWorkerSteps = [
  { cores: 4, memoryBytes: 12 * 1024 * MB, workers: 2 },
  { cores: 8, memoryBytes: 24 * 1024 * MB, workers: 3 },
  { cores: 16, memoryBytes: 48 * 1024 * MB, workers: 5 },
] as const

export const pagesWorkersFor = (memoryBytes: number, cores: number): number =>
  pagesWorkerSteps.findLast((step) => cores >= step.cores && memoryBytes >= step.memoryBytes)?.workers ?? 1

/** The memory of each part of Tilth. Together they are the whole. */
interface MemoryBudget {
  frontHeapBytes: number
  /** The heap of each process that renders pages. */
  pagesHeapBytes: number
  keptPagesBytes: number
  besideHeapsBytes: number
  /** Forms in the front, of visitors and of members. */
  formsBytes: number
  uuidFilterBytes: number
  /** The engine process, without its library. */
  engineBytes: number
  fileCacheBytes: number
}

/** Divides the memory of the whole of Tilth. */
export function divideMemory(memoryBytes: number, pagesWorkers = 1): MemoryBudget {
  const whole = Math.max(Math.floor(memoryBytes), leastMemoryBytes)
  const beyond = whole - leastMemoryBytes
  const frontHeapBytes = scaledShare(memoryDivision.frontHeap, beyond)
  const pagesHeapBytes = scaledShare(memoryDivision.pagesHeap, beyond)
  const keptPagesBytes = scaledShare(memoryDivision.keptPages, beyond)
  const besideHeapsBytes = memoryDivision.frontBesideHeap + pagesWorkers * memoryDivision.pagesBesideHeap
  const fileCacheBytes = Math.round(beyond * memoryDivision.fileCache)
  const uuidFilterBytes = scaledShare(memoryDivision.uuidFilter, beyond)
  const { visitorBytes, memberBytes } = formMemoryOf(whole)
  const formsBytes = visitorBytes + memberBytes
  const heaps = frontHeapBytes + pagesWorkers * pagesHeapBytes
  const others = keptPagesBytes + besideHeapsBytes + formsBytes + uuidFilterBytes + fileCacheBytes
  const engineBytes = whole - heaps - others
  return {
    frontHeapBytes,
    pagesHeapBytes,
    keptPagesBytes,
    besideHeapsBytes,
    formsBytes,
    uuidFilterBytes,
    engineBytes,
    fileCacheBytes,
  }
}

/** The memory of the front for request bodies. */
interface BodyLimits {
  /** The limit of one body, packed or unpacked. */
  largestBytes: number
  /** The limit of all bodies and what is parsed of them at once. */
  heldBytes: number
  /** The limit of all large bodies while they arrive. */
  receivedBytes: number
}

export function bodyMemoryOf(memoryBytes: number): BodyLimits {
  const beyond = Math.max(0, memoryBytes - leastMemoryBytes)
  return {
    largestBytes: scaledShare(memoryDivision.largestBody, beyond),
    heldBytes: scaledShare(memoryDivision.heldBodies, beyond),
    receivedBytes: scaledShare(memoryDivision.receivedBodies, beyond),
  }
}

/** The memory of the front for forms, which the pages receive whole. */
export interface FormMemory {
  visitorBytes: number
  memberBytes: number
}

export function formMemoryOf(memoryBytes: number): FormMemory {
  const beyond = Math.max(0, memoryBytes - leastMemoryBytes)
  return {
    visitorBytes: scaledShare(memoryDivision.visitorForms, beyond),
    memberBytes: scaledShare(memoryDivision.memberForms, beyond),
  }
}

/**
 * The limit of one batch of events in bytes. A batch of 24 MB took 28 µs an event in the engine, a batch of 8 MB 38 µs.
 */
export function batchBytesOf(memoryBytes: number): number {
  return scaledShare(memoryDivision.batch, Math.max(0, memoryBytes - leastMemoryBytes))
}

const scaledShare = (
  { least, most, part }: { least: number; most: number; part: number },
  beyond: number,
): number => Math.round(Math.min(most, least + beyond * part))

/** The limits of the embedded engine. */
export interface EngineBudget {
  /** The memory of its whole process as the engine counts it: including its library. */
  engineBytes: number
  /** Whether freed memory goes back to the system at once; otherwise the allocator keeps it for seconds. */
  returnsFreedMemory: boolean
  queryBytes: number
  spillBytes: number
  markCacheBytes: number
  indexCacheBytes: number
  compiledCacheBytes: number
  queryThreads: number
  /** The threads of each query if several run. Together they use the cores as well, without waiting for one another. */
  threadsTogether: number
  queriesAtOnce: number
  backgroundThreads: number
}

/**
 * Computes the engine's limits from the memory of the whole of Tilth. A query may use every core: its threads have the
 * lowest priority, so the front and inserts go first.
 */
export function engineBudgetFor(memoryBytes: number, cores: number): EngineBudget {
  const engineBytes =
    divideMemory(memoryBytes, pagesWorkersFor(memoryBytes, cores)).engineBytes + memoryDivision.library
  const toWorkWith = engineBytes - memoryDivision.idle
  const several = cores > 2 ? 3 : 2
  const isSmall = toWorkWith < memoryDivision.severalQueries
  const queriesAtOnce = isSmall ? 1 : several
  const queryBytes = Math.round((toWorkWith * memoryDivision.queries) / queriesAtOnce)
  const queryThreads = Math.max(1, Math.min(cores, Math.floor(queryBytes / memoryDivision.thread)))
  return {
    engineBytes,
    returnsFreedMemory: isSmall,
    queryBytes,
    spillBytes: Math.round(queryBytes * memoryDivision.spill),
    markCacheBytes: Math.round(toWorkWith * memoryDivision.markCache),
    indexCacheBytes: Math.round(toWorkWith * memoryDivision.indexCache),
    compiledCacheBytes: Math.round(toWorkWith * memoryDivision.compiledCache),
    queryThreads,
    threadsTogether: Math.max(1, Math.floor(queryThreads / queriesAtOnce)),
    queriesAtOnce,
    backgroundThreads: Math.max(1, Math.min(4, Math.floor(cores / 2))),
  }
}

/**
 * The space that the engine leaves free on its disk. It subtracts this from the free space before it begins to write,
 * so that other writers do not fill the disk during a write.
 */
export function reservedDiskBytes(diskBytes: number): number {
  return Math.round(Math.min(256 * MB, diskBytes * 0.05))
}
