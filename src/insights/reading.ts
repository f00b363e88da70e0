import type { Interval } from './period'

/** Who got so far down a page, in percent of it, has read it through. */
export const readThroughDepth = 75

/** What the kind `reading` answers. */
export interface ReadingAnswer {
  interval: Interval
  starts: string[]
  lastIsIncomplete: boolean
  /** Of all the pages together; whoever read two of them is one reader. */
  views: number
  readers: number
  /** Those with most readers first. */
  pages: ReadPage[]
  /** Of all the pages together, for each of the `starts`; absent without details, as are the next two. */
  course?: { views: number; readers: number }[]
  /** Where the visits came from in which they were read, by most readers first; null where nothing tells. */
  sources?: Origin[]
  channels?: Origin[]
}

export interface ReadPage {
  page: string
  views: number
  readers: number
  /** The share of the readers who read it through; null where there are none. */
  readThrough: number | null
  /** How long half of the readers spent on it at least, of those whose browsers told; null where none did. */
  engagedMs: number | null
}

export interface Origin {
  name: string | null
  readers: number
}

/** What the kind `led` answers. */
export interface LedAnswer {
  /** By most persons first. What somebody did is led to by one page alone. */
  pages: (Reached & { page: string })[]
  /** What any of the pages led to. */
  led: Reached
  /** Everything that was reached, whatever had been read before. */
  all: Reached
}

export interface Reached {
  persons: number
  times: number
  revenue: number
}

/** What the kind `trial` answers. */
export interface TrialAnswer {
  variants: TriedVariant[]
  /** Persons who were shown several of them, and are in none of the numbers. */
  sawSeveral: number
}

export interface TriedVariant {
  variant: string
  /** Persons. */
  shown: number
  /** Who opened the page after that. */
  clicks: number
  /** Who also read it through. */
  reads: number
}

/** What the kind `seen` answers. */
export interface SeenAnswer {
  /** Persons to whom the site served something that varies. */
  served: number
  /** Those of them whose browser told that it was in view. */
  seen: number
}
