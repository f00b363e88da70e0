import { RotateCw } from 'lucide-react'
import type { ComponentProps } from 'react'
import type { AskOptions } from '#insights/ask'
import type { MemberViewer } from '#projects/access'
import type { Project } from '#projects/project'
import { TextLink } from '#ui/Anchor'
import { ChartExport } from '#ui/chart/ChartExport'
import { ChartFrame } from '#ui/chart/ChartFrame'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { FailedMessage } from '#ui/page/FailedMessage'
import { duration } from '#ui/format'
import { Icon } from '#ui/Icon'
import { LinkButton } from '#ui/LinkButton'
import { Loading, Skeleton } from '#ui/page/Skeleton'
import { AnswerAge } from '#studio/parts/AnswerAge'
import { MarginNote } from '#studio/parts/MarginNote'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { InsightChart } from './chart/InsightChart'
import { askForViewer } from './ask'
import { ExplainedStatements } from './ExplainedStatements'
import { chartSettingsOf } from './chart-settings'
import { hasTable } from './kinds'

interface AnswerPanelProps {
  project: Project
  viewer: MemberViewer
  question: object
  title: string
  /** The page's own address, to try again at. */
  retryHref: string
  /** The answers that this one is shown beside, if there are others. */
  shownIn?: AskOptions['shownIn']
  /** The insight whose own annotations are shown beside the project's. */
  insightId?: string
  colourOf?: ComponentProps<typeof InsightChart>['colourOf']
  explain: ExplainToggle
  /** Without it, numbers are exact. */
  exact?: ExactToggle
}

/** Whether the address asks for exact numbers (`exact=yes`), and the address that does. */
interface ExactToggle {
  isAsked: boolean
  href: string
}

/** Whether it is shown what the engine was asked, and where it is, or is not. */
interface ExplainToggle {
  isShown: boolean
  href: string
  /** Why this role may not see it. */
  whyNot?: string
}

/** Asks a query and draws the answer; if that fails, shows why and what to do. */
export async function AnswerPanel({
  project,
  viewer,
  question: asked,
  title,
  retryHref,
  shownIn,
  insightId,
  colourOf,
  explain,
  exact,
}: AnswerPanelProps) {
  const query = exact?.isAsked ? { ...asked, exact: true } : asked
  const [result, notes] = await Promise.all([
    askForViewer(project.id, query, viewer, {
      explain: explain.isShown && !explain.whyNot,
      showsMargin: exact !== undefined,
      ...(shownIn && { shownIn }),
    }),
    getProduct().insights.annotations.notesFor(project.id, { insight: insightId }, viewer),
  ])
  if (!result.done) return <NotAnswered title={title} here={retryHref} {...result} />

  const { explained } = result
  const { slug } = project
  return (
    <div className="flex flex-col gap-5">
      <ChartFrame
        title={title}
        hasTable={hasTable(result.question)}
        actions={
          <ChartExport
            name={title}
            csvHref={paths.answerFile(slug, 'csv', query, title)}
            jsonHref={paths.answerFile(slug, 'json', query, title)}
          />
        }
        footer={
          <AnswerFooter
            answer={{ ...result, now: new Date() }}
            approximate={result.approximate}
            exactHref={exact?.href}
            {...explain}
          />
        }
      >
        <InsightChart
          answered={result}
          title={title}
          settings={chartSettingsOf(project)}
          drill={(point) => paths.personsBehind(slug, query, point)}
          notes={notes}
          {...(colourOf && { colourOf })}
          size="lg"
        />
      </ChartFrame>
      {explained && <ExplainedStatements statements={explained} />}
    </div>
  )
}

function AnswerFooter({
  answer,
  approximate,
  exactHref,
  isShown,
  href,
  whyNot,
}: ExplainToggle & ComponentProps<typeof MarginNote> & { answer: ComponentProps<typeof AnswerAge> }) {
  return (
    <span className="flex flex-wrap justify-between gap-x-4">
      <MarginNote approximate={approximate} exactHref={exactHref} />
      <span title={`It took ${duration(answer.tookMs)}`}>
        <AnswerAge {...answer} />
      </span>
      {whyNot ? (
        <span title={whyNot}>Query details are visible to editors</span>
      ) : (
        <TextLink href={href}>{isShown ? 'Hide query details' : 'Query details'}</TextLink>
      )}
    </span>
  )
}

function NotAnswered({
  title,
  here: retryHref,
  problems,
  isTrouble,
}: {
  title: string
  here: string
  problems: readonly { message: string }[]
  isTrouble?: true
}) {
  const why = problems.map(({ message }) => message).join(' ')
  const again = (
    <LinkButton href={retryHref} icon={<Icon of={RotateCw} />}>
      Try again
    </LinkButton>
  )
  return (
    <ChartFrame
      title={title}
      empty={
        isTrouble ? (
          <FailedMessage title="The query failed" body={why} action={again} />
        ) : (
          <EmptyMessage title="This insight is incomplete" body={why} />
        )
      }
    />
  )
}

/** In the place of an answer that is on its way for the first time. */
export const AnswerLoading = () => (
  <Loading label="Loading">
    <div className="flex min-h-96 flex-col gap-4 rounded-lg border border-line bg-surface p-4">
      <Skeleton className="h-5 w-48" />
      <Skeleton className="h-80 w-full" />
    </div>
  </Loading>
)
