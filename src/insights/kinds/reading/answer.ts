import type { Interval } from '../../calendar/period'

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
