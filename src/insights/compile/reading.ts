import type { Interval } from '../calendar/period'

/** The scroll depth, in percent, from which a page counts as read through. */
export const readThroughDepth = 75

/** What the kind `reading` answers. */
export interface ReadingAnswer {
  interval: Interval
  starts: string[]
  lastIsIncomplete: boolean
  /** Over all pages together; a person who read two of them is one reader. */
  views: number
  readers: number
  /** Those with most readers first. */
  pages: ReadPage[]
  /** Of all the pages together, for each of the `starts`; absent without details, as are the next two. */
  course?: { views: number; readers: number }[]
  /** Where the visits came from in which they were read, by most readers first; null where nothing tells. */
  sources?: ReaderOrigin[]
  channels?: ReaderOrigin[]
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

export interface ReaderOrigin {
  name: string | null
  readers: number
}

/** What the kind `led` answers. */
export interface AttributionAnswer {
  /** By most persons first. Each conversion is attributed to one page. */
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

/** What the kind `trial` answers. */
export interface TrialAnswer {
  variants: TrialVariantResult[]
  /** Persons who were shown several variants, who are excluded from the numbers. */
  sawSeveral: number
}

export interface TrialVariantResult {
  variant: string
  /** Persons. */
  shown: number
  /** Who opened the page after that. */
  clicks: number
  /** Who also read it through. */
  reads: number
}

/** What the kind `seen` answers. */
export interface ClientCoverageAnswer {
  /** Persons who were served a page with variants. */
  served: number
  /** Those of them whose browser reported a variant in view. */
  seen: number
}
