import { RotateCw } from 'lucide-react'
import { type ReactNode, Suspense } from 'react'
import { CardFrame } from '#dashboards/CardGrid'
import type { SavedCard } from '#dashboards/dashboard'
import type { CardQueryRunner, CardAnswer } from '#dashboards/dashboards'
import { Markdown } from '#dashboards/Markdown'
import { isOfKind } from '#insights/answered-query'
import type { AskOptions } from '#insights/ask'
import type { ChartSettings, ChartNote } from '#insights/chart-settings'
import { InsightChart } from '#studio/insights/chart/InsightChart'
import type { Outcome } from '#projects/problems'
import type { ChartSize } from '#ui/chart/chart'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { FailedMessage } from '#ui/page/FailedMessage'
import { Icon } from '#ui/Icon'
import { LinkButton } from '#ui/LinkButton'
import { Loading, Skeleton } from '#ui/page/Skeleton'
import { AnswerAge } from '#studio/parts/AnswerAge'
import { MarginNote } from '#studio/parts/MarginNote'
import { isEngineError } from '#studio/parts/refusals'
import { getLog } from '#studio/product'
import { ExperimentCard } from './ExperimentCard'
import { SurveyCard } from './SurveyCard'

/** The settings that the cards of one dashboard share. */
export interface CardsContext {
  ask: CardQueryRunner
  chartSettings: ChartSettings
  notes: readonly ChartNote[]
  /** The page's own address, to try again at. */
  retryHref: string
  /** The page that a card's title links to; none for people outside. */
  titleHref?: (card: SavedCard) => string | undefined
  /** The page where this card's persons are counted one by one; none for people outside. */
  exactHref?: (card: SavedCard) => string
  /** The card whose persons are counted one by one. */
  exactCard?: string | undefined
  /** The address that a card's numbers link to. */
  drill?: (query: object, answer: unknown) => (point: object) => string | undefined
  /** Another look at the dashboard shows its cards loading; a refresh keeps them until they are answered. */
  overridesKey: string
}

/** One card, which is shown when its answer arrives, whatever the others do. */
export function DashboardCardView({ card, ...cards }: CardsContext & { card: SavedCard }) {
  const { content } = card
  if (content.type === 'text')
    return (
      <TextSheet>
        <Markdown text={content.text} />
      </TextSheet>
    )
  return (
    <Suspense key={cards.overridesKey} fallback={<CardLoading />}>
      <AnsweredCard card={card} {...cards} />
    </Suspense>
  )
}

async function AnsweredCard({
  card,
  ask,
  chartSettings,
  notes,
  retryHref,
  exactCard,
  ...leads
}: CardsContext & { card: SavedCard }) {
  const outcome = await answerOf(card, ask, { showsMargin: card.id !== exactCard })
  const titleHref = leads.titleHref?.(card)
  if (!outcome.done)
    return <NotAnswered {...unansweredWords(card)} titleHref={titleHref} here={retryHref} {...outcome} />
  if (outcome.kind === 'experiment')
    return (
      <CardFrame title={outcome.title} titleHref={titleHref}>
        <ExperimentCard answer={outcome} timeZone={chartSettings.timeZone} href={titleHref} />
      </CardFrame>
    )
  const { title, answered } = outcome
  return (
    <CardFrame
      title={title}
      titleHref={titleHref}
      actions={<AnswerAge {...answered} now={new Date()} />}
      note={
        answered.approximate && (
          <MarginNote approximate={answered.approximate} exactHref={leads.exactHref?.(card)} />
        )
      }
    >
      {isOfKind('survey', answered) ? (
        <SurveyCard
          question={answered.question}
          answer={answered.answer}
          title={title}
          settings={chartSettings}
          size={sizeFor(card.place.h)}
        />
      ) : (
        <InsightChart
          answered={answered}
          title={title}
          settings={chartSettings}
          notes={notes}
          drill={leads.drill?.(answered.question, answered.answer)}
          size={sizeFor(card.place.h)}
        />
      )}
    </CardFrame>
  )
}

type CardOutcome = Outcome<CardAnswer> & { isTrouble?: true }

/** A failure of one card leaves the others alone. */
async function answerOf(card: SavedCard, ask: CardQueryRunner, options: AskOptions): Promise<CardOutcome> {
  try {
    return await ask(card, options)
  } catch (problem) {
    if (!(problem instanceof Error)) throw problem
    const isKnown = isEngineError(problem)
    if (!isKnown) getLog().error({ err: problem, card: card.id }, 'a card could not be answered')
    const message = isKnown ? problem.message : 'Something went wrong. See the server log.'
    return { done: false, problems: [{ message }], isTrouble: true }
  }
}

function NotAnswered({
  title,
  refused,
  titleHref,
  here: retryHref,
  problems,
  isTrouble,
}: {
  title: string
  /** Says that there is no answer, above the reason. */
  refused: string
  titleHref: string | undefined
  here: string
  problems: readonly { message: string }[]
  isTrouble?: true
}) {
  const why = problems.map(({ message }) => message).join(' ')
  const again = (
    <LinkButton href={retryHref} size="sm" icon={<Icon of={RotateCw} />}>
      Try again
    </LinkButton>
  )
  return (
    <CardFrame title={title} titleHref={titleHref}>
      {isTrouble ? (
        <FailedMessage title="The query failed" body={why} action={again} />
      ) : (
        <EmptyMessage title={refused} body={why} />
      )}
    </CardFrame>
  )
}

function unansweredWords({ content }: SavedCard) {
  if (content.type === 'experiment') return { title: 'Experiment', refused: 'This result cannot be shown' }
  const title = content.type === 'question' ? content.title : 'Card'
  return { title, refused: 'This insight cannot be computed' }
}

/** Charts have three heights; the largest that fits. */
function sizeFor(rows: number): ChartSize {
  if (rows <= 4) return 'sm'
  return rows <= 6 ? 'md' : 'lg'
}

const TextSheet = ({ children }: { children: ReactNode }) => (
  <section
    aria-label="Text"
    className="min-w-0 rounded-lg border border-line bg-surface px-4 py-3 @xl/board:h-full @xl/board:overflow-y-auto"
  >
    {children}
  </section>
)

const CardLoading = () => (
  <div className="min-h-60 rounded-lg border border-line bg-surface p-4 @xl/board:h-full @xl/board:min-h-0">
    <Loading label="Loading">
      <div className="flex flex-col gap-4">
        <Skeleton className="h-5 w-40" />
        <Skeleton className="h-32 w-full" />
      </div>
    </Loading>
  </div>
)
