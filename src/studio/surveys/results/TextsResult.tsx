import { clsx } from 'clsx'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { tryEngine } from '#studio/parts/refusals'
import { PersonName } from '#studio/parts/PersonName'
import { clockOf } from '#studio/parts/RelativeTime'
import { type Clock, RelativeTime } from '#studio/parts/RelativeTime'
import type { Phrase } from '#surveys/results/phrases'
import type { ListedText } from '#surveys/results/survey-results'
import { Anchor, TextLink } from '#ui/Anchor'
import { BarList } from '#ui/chart/BarList'
import type { OpenSurvey } from '../open-survey'
import type { Narrowing } from './narrowing'
import { inAddress, narrowingOf, type ResultsFilter, withAnswerTo } from './results-filter'

interface TextsResultProps {
  opened: OpenSurvey
  /** The id of the question. */
  id: string
  title: string
  isWide: boolean
  /** Writes a stored text for readers, where it is no text that a person typed. */
  inWords: ((stored: string) => string) | undefined
  filter: ResultsFilter
  narrowing: Narrowing
  /** Over texts that were typed beside choices. */
  heading?: string
}

/** The latest texts with their responses, and the phrases that many of them share. */
export async function TextsResult({
  opened,
  id,
  title,
  isWide,
  inWords,
  filter,
  narrowing,
  heading,
}: TextsResultProps) {
  const { project, survey, viewer } = opened
  const { results: surveyResults } = getProduct().surveys
  const found = await tryEngine(() =>
    surveyResults.texts(project.id, survey.id, id, narrowingOf(filter), viewer),
  )
  if (!found.done)
    return (
      <p className="py-4 text-muted">
        The texts could not be loaded. {found.problems.map(({ message }) => message).join(' ')}
      </p>
    )
  const { phrases, latest } = found
  const hrefOf = ({ response }: ListedText) => paths.surveyResponse(project.slug, survey.id, response)
  const allHref = paths.surveyResponses(project.slug, survey.id, inAddress(withAnswerTo(filter, id)))
  const texts = latest.map((one) => (inWords ? { ...one, text: inWords(one.text) } : one))
  const listed = { texts, hrefOf, allHref, clock: clockOf(project), heading: heading ?? 'Latest texts' }
  if (heading !== undefined && texts.length === 0) return null
  if (inWords || phrases.length === 0) return <LatestTexts {...listed} />
  return (
    <div className={clsx('grid gap-x-8 gap-y-4', isWide && 'lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]')}>
      <Phrases title={title} phrases={phrases} narrowing={narrowing} />
      <LatestTexts {...listed} />
    </div>
  )
}

const mostPhrases = 6

function Phrases({
  title,
  phrases,
  narrowing,
}: {
  title: string
  phrases: readonly Phrase[]
  narrowing: Narrowing
}) {
  return (
    <div className="-mx-4">
      <BarList
        title={`${title}: frequent phrases`}
        heads={{ label: 'Frequent phrases', value: 'Texts' }}
        rows={phrases.slice(0, mostPhrases).map(({ text, texts }) => ({
          key: text,
          label: text,
          value: texts,
          href: narrowing.hrefOfWords(text),
          current: narrowing.areCurrent(text),
        }))}
      />
    </div>
  )
}

const mostShown = 6

function LatestTexts({
  heading,
  texts,
  hrefOf,
  allHref,
  clock,
}: {
  heading: string
  texts: readonly ListedText[]
  hrefOf: (text: ListedText) => string
  /** Lists the responses that answer the question. */
  allHref: string
  clock: Clock
}) {
  return (
    <div className="min-w-0">
      <div className="flex h-8 items-center justify-between gap-3 text-xs">
        <h3 className="font-medium text-muted">{heading}</h3>
        {texts.length > mostShown && <TextLink href={allHref}>All responses</TextLink>}
      </div>
      <ul className="divide-y divide-line border-t border-line">
        {texts.slice(0, mostShown).map((one) => (
          <li key={one.response}>
            <Anchor href={hrefOf(one)} className="block rounded-sm py-2 hover:bg-hover">
              <bdi className="line-clamp-3 min-w-0 break-words">{one.text}</bdi>
              <span className="mt-0.5 flex flex-wrap items-baseline gap-x-2 text-xs text-muted">
                {one.rating !== undefined && <span className="tabular-nums">Rated {one.rating}</span>}
                {one.personLabel && (
                  <span className="max-w-48 truncate">
                    <PersonName label={one.personLabel} />
                  </span>
                )}
                <RelativeTime at={new Date(one.answeredAt)} clock={clock} />
              </span>
            </Anchor>
          </li>
        ))}
      </ul>
    </div>
  )
}
