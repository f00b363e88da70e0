import { RotateCw } from 'lucide-react'
import { InsightChart, kindOfQuestion } from '../../../insights/charts'
import { titleFor } from '../../../insights/titles'
import type { MemberViewer } from '../../../projects/access'
import type { Project } from '../../../projects/project'
import { TextLink } from '../../../ui/Anchor'
import { ChartExport } from '../../../ui/ChartExport'
import { ChartFrame } from '../../../ui/ChartFrame'
import { EmptyMessage } from '../../../ui/EmptyMessage'
import { FailedMessage } from '../../../ui/FailedMessage'
import { ago, duration } from '../../../ui/format'
import { Icon } from '../../../ui/Icon'
import { LinkButton } from '../../../ui/LinkButton'
import { Loading, Skeleton } from '../../../ui/Skeleton'
import { paths } from '../../paths'
import { getProduct } from '../../product'
import { askFor } from './ask'
import { Explained } from './Explained'
import { groundOf } from './ground'

interface AnswerPanelProps {
  project: Project
  viewer: MemberViewer
  question: object
  name?: string
  /** The page's own address, to try again at. */
  here: string
  /** Whose own annotations are shown beside the project's. */
  insightId?: string
  explain: Explaining
}

/** Whether it is shown what the engine was asked, and where it is, or is not. */
interface Explaining {
  isShown: boolean
  href: string
  /** Why this role may not see it. */
  whyNot?: string
}

const freshForMs = 60_000

/** Asks, and draws what is answered; what cannot be answered says why, and what to do about it. */
export async function AnswerPanel({
  project,
  viewer,
  question,
  name,
  here,
  insightId,
  explain,
}: AnswerPanelProps) {
  const title = name ?? titleFor(question)
  const [asked, notes] = await Promise.all([
    askFor(project.id, question, viewer, { explain: explain.isShown && !explain.whyNot }),
    getProduct().annotations.notesFor(project.id, { insight: insightId }, viewer),
  ])
  if (!asked.done) return <NotAnswered title={title} here={here} {...asked} />

  const { at, tookMs, explained } = asked
  const { slug } = project
  const isOld = Date.now() - at.getTime() > freshForMs
  return (
    <div className="flex flex-col gap-5">
      <ChartFrame
        title={title}
        hasTable={hasOwnTable(asked.question)}
        actions={
          <ChartExport
            name={title}
            csvHref={paths.answerFile(slug, 'csv', question, title)}
            jsonHref={paths.answerFile(slug, 'json', question, title)}
          />
        }
        notice={isOld ? { tone: 'info', text: `Counted ${ago(at, new Date())}` } : undefined}
        footer={<Took ms={tookMs} {...explain} />}
      >
        <InsightChart
          answered={asked}
          title={title}
          ground={groundOf(project)}
          drill={(point) => paths.personsBehind(slug, question, point)}
          notes={notes}
          size="lg"
        />
      </ChartFrame>
      {explained && <Explained statements={explained} />}
    </div>
  )
}

const tables = ['breakdown', 'correlation', 'retention', 'sql', 'totals', 'vitals']

/** Whether the drawing has a table beneath it; what is a table already has none. */
const hasOwnTable = (question: object): boolean => {
  const isTable = 'chart' in question && ['table', 'number'].includes(String(question.chart))
  return !tables.includes(kindOfQuestion(question)) && !isTable
}

function Took({ ms, isShown, href, whyNot }: Explaining & { ms: number }) {
  return (
    <span className="flex flex-wrap justify-between gap-x-4">
      Answered in {duration(ms)}
      {whyNot ? (
        <span title={whyNot}>How it is counted is shown to editors</span>
      ) : (
        <TextLink href={href}>{isShown ? 'Hide how it is counted' : 'How is this counted?'}</TextLink>
      )}
    </span>
  )
}

function NotAnswered({
  title,
  here,
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
    <LinkButton href={here} icon={<Icon of={RotateCw} />}>
      Try again
    </LinkButton>
  )
  return (
    <ChartFrame
      title={title}
      empty={
        isTrouble ? (
          <FailedMessage title="There is no answer now" body={why} action={again} />
        ) : (
          <EmptyMessage title="This cannot be answered yet" body={why} />
        )
      }
    />
  )
}

/** In the place of an answer that is on its way for the first time. */
export const AnswerLoading = () => (
  <Loading label="Counting">
    <div className="flex min-h-96 flex-col gap-4 rounded-lg border border-line bg-surface p-4">
      <Skeleton className="h-5 w-48" />
      <Skeleton className="h-80 w-full" />
    </div>
  </Loading>
)
