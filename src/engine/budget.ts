const MB = 1024 * 1024

/** How Tilth divides its memory. A change of a number here is a change of what a 1 GB server can carry: measure it. */
export const memoryDivision = {
  /** What a Node process of ours takes beside its heap: its program, buffers, and in the front the places of addresses. */
  frontBesideHeap: 81 * MB,
  pagesBesideHeap: 30 * MB,
  /** The heaps at least, and their part of what there is beyond the least memory. A large body takes the front 130 MB. */
  frontHeap: { least: 144 * MB, most: 1024 * MB, part: 0.06 },
  pagesHeap: { least: 80 * MB, most: 1024 * MB, part: 0.05 },
  /** Of the whole: pages of the site that the front keeps. */
  keptPages: { least: 8 * MB, most: 128 * MB, part: 1 / 32 },
  /** The filter that recognises uuids in the front: 3 MB for a million events of 30 days. */
  uuidFilter: { least: 15 * MB, most: 192 * MB, part: 0.02 },
  /**
   * One batch of events on its way into the engine: its text and 512 bytes for each event. Two of them are held, in the
   * heap about 3.5 times this together (56 MB of 165 MB with `1g`), beside it once more as the bytes of the inserts.
   */
  batch: { least: 6 * MB, most: 22 * MB, part: 0.02 },
  /** The largest body of an SDK's request. Parsed, a body takes the front about ten times its size for a moment. */
  largestBody: { least: 6 * MB, most: 20 * MB, part: 0.03 },
  /** All bodies that are held at once, unpacked. */
  heldBodies: { least: 12 * MB, most: 80 * MB, part: 0.04 },
  /** Of what there is beyond the least memory: room for the system to keep the engine's files in. */
  fileCache: 0.05,
  /** The engine's library. The engine counts it, but the system takes it back where memory is short, as it is a file's. */
  library: 180 * MB,
  /** What the engine's process counts while it does nothing: that library, its allocator, its own Node. */
  idle: 250 * MB,
  /** Of what the engine has left to work with: all questions together, so that inserts and merges always find some. */
  questions: 0.8,
  /** With less than this to work with, questions are asked one at a time. */
  severalQuestions: 150 * MB,
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

/** Below this the parts above do not fit. */
export const leastMemoryBytes = 512 * MB

/** What each part of Tilth may take. All of it together is the whole. */
export interface MemoryBudget {
  frontHeapBytes: number
  pagesHeapBytes: number
  keptPagesBytes: number
  besideHeapsBytes: number
  uuidFilterBytes: number
  /** Of the engine's process, without its library. */
  engineBytes: number
  fileCacheBytes: number
}

/** `memoryBytes` is for the whole of Tilth. */
export function divideMemory(memoryBytes: number): MemoryBudget {
  const whole = Math.max(Math.floor(memoryBytes), leastMemoryBytes)
  const beyond = whole - leastMemoryBytes
  const frontHeapBytes = scaledShare(memoryDivision.frontHeap, beyond)
  const pagesHeapBytes = scaledShare(memoryDivision.pagesHeap, beyond)
  const { least, most, part } = memoryDivision.keptPages
  const keptPagesBytes = Math.round(Math.min(most, Math.max(least, whole * part)))
  const besideHeapsBytes = memoryDivision.frontBesideHeap + memoryDivision.pagesBesideHeap
  const fileCacheBytes = Math.round(beyond * memoryDivision.fileCache)
  const uuidFilterBytes = scaledShare(memoryDivision.uuidFilter, beyond)
  const heaps = frontHeapBytes + pagesHeapBytes
  const others = keptPagesBytes + besideHeapsBytes + uuidFilterBytes + fileCacheBytes
  const engineBytes = whole - heaps - others
  return {
    frontHeapBytes,
    pagesHeapBytes,
    keptPagesBytes,
    besideHeapsBytes,
    uuidFilterBytes,
    engineBytes,
    fileCacheBytes,
  }
}

/** What bodies of requests may take of the front's memory. */
export interface BodyMemory {
  /** Of one body, packed or unpacked. */
  largestBytes: number
  /** Of all bodies at once. */
  heldBytes: number
}

export function bodyMemoryOf(memoryBytes: number): BodyMemory {
  const beyond = Math.max(0, memoryBytes - leastMemoryBytes)
  return {
    largestBytes: scaledShare(memoryDivision.largestBody, beyond),
    heldBytes: scaledShare(memoryDivision.heldBodies, beyond),
  }
}

/** Most bytes of one batch of events. A batch of 24 MB cost the engine 28 µs an event, a batch of 8 MB 38 µs. */
export function batchBytesOf(memoryBytes: number): number {
  return scaledShare(memoryDivision.batch, Math.max(0, memoryBytes - leastMemoryBytes))
}

const scaledShare = (
  { least, most, part }: { least: number; most: number; part: number },
  beyond: number,
): number => Math.round(Math.min(most, least + beyond * part))

/** What the embedded engine may use. */
export interface EngineBudget {
  /** Of its whole process, as the engine counts it: with its library. */
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
export function engineBudgetFor(memoryBytes: number, cores: number): EngineBudget {
  const engineBytes = divideMemory(memoryBytes).engineBytes + memoryDivision.library
  const toWorkWith = engineBytes - memoryDivision.idle
  const several = cores > 2 ? 3 : 2
  const questionsAtOnce = toWorkWith < memoryDivision.severalQuestions ? 1 : several
  const questionBytes = Math.round((toWorkWith * memoryDivision.questions) / questionsAtOnce)
  const questionThreads = Math.max(1, Math.min(cores, Math.floor(questionBytes / memoryDivision.thread)))
  return {
    engineBytes,
    questionBytes,
    spillBytes: Math.round(questionBytes * memoryDivision.spill),
    markCacheBytes: Math.round(toWorkWith * memoryDivision.markCache),
    indexCacheBytes: Math.round(toWorkWith * memoryDivision.indexCache),
    compiledCacheBytes: Math.round(toWorkWith * memoryDivision.compiledCache),
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
export function reservedDiskBytes(diskBytes: number): number {
  return Math.round(Math.min(256 * MB, diskBytes * 0.05))
}
