import type { Interval } from '../calendar/period'

/** The scroll depth, in percent, from which a page counts as read through. */
export const readThroughDepth = 75

/** The answer of the kind `reading`. */
export interface ReadingAnswer {
  interval: Interval
  starts: string[]
  lastIsIncomplete: boolean
  /** Over all pages together; a person who read two of them is one reader. */
  views: number
  readers: number
  /** The pages with the most readers first. */
  pages: ReadPage[]
  /** The time series of all pages together, for each of the `starts`; only with details, as are the next two. */
  course?: { views: number; readers: number }[]
  /** The sources of the visits in which pages were read, by the most readers first; null if unknown. */
  sources?: ReaderOrigin[]
  channels?: ReaderOrigin[]
}

export interface ReadPage {
  page: string
  views: number
  readers: number
  /** The share of the readers who read it through; null without readers. */
  readThrough: number | null
  /** The median reading time, of readers whose browsers report it; null if there are none. */
  engagedMs: number | null
}

export interface ReaderOrigin {
  name: string | null
  readers: number
}

/** The answer of the kind `attribution`. */
export interface AttributionAnswer {
  /** The pages, by most persons first. Each conversion is attributed to one page. */
  pages: (AttributionCounts & { page: string })[]
  /** Conversions attributed to any of the pages. */
  led: AttributionCounts
  /** All conversions, attributed or not. */
  all: AttributionCounts
}

export interface AttributionCounts {
  persons: number
  times: number
  revenue: number
}

/** The answer of the kind `trial`. */
export interface TrialAnswer {
  variants: TrialVariantResult[]
  /** Persons who were shown several variants, who are excluded from the numbers. */
  sawSeveral: number
}

export interface TrialVariantResult {
  variant: string
  /** Persons. */
  shown: number
  /** Persons who opened the page after that. */
  clicks: number
  /** Persons who also read it through. */
  reads: number
}

/** The answer of the kind `client-coverage`. */
export interface ClientCoverageAnswer {
  /** Persons who were served a page with variants. */
  served: number
  /** Persons among them whose browser reported a variant in view. */
  seen: number
}
