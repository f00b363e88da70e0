import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { type Finding, report } from './report'
import { surveyRequests } from './survey-requests'
import { surveyResults } from './survey-results'

/** As the build has made them. */
const brotliBytes = (name: string): number =>
  brotliCompressSync(readFileSync(join('dist/tracker', `${name}.js`))).length

const bytes = (count: number): string => `${count.toLocaleString('en')} bytes`

const widget: Finding = {
  what: 'our widget, brotli',
  measured: `${bytes(brotliBytes('part-surveys') + brotliBytes('part-survey-widget'))} (hoped for: 9 kB)`,
  beside:
    `${bytes(brotliBytes('part-surveys'))} of them until a survey is due; ` +
    `${bytes(brotliBytes('part-survey-more'))} more for rare kinds, shuffled orders and events; ` +
    `${bytes(brotliBytes('tilth'))} of page script, on every page`,
}

report(
  'surveys',
  'Surveys',
  [widget, ...(await surveyRequests()), ...(await surveyResults())],
  [
    '“At first” is the first time in the life of the engine; the files were written a moment before, and merged as they are some minutes after it. 1,000,000 submissions in 1,000,000 events, and twice as many showings, of 90 days; the middle one of 7 rounds.',
  ],
)
