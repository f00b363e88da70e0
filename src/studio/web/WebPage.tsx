import type { Metadata } from 'next'
import { Suspense } from 'react'
import { Loading, Skeleton } from '#ui/page/Skeleton'
import { whyNot } from '#studio/parts/open-project'
import { SubjectShareButton } from '#studio/shares/SubjectShareButton'
import { openWeb, type WebContext, type WebPageProps } from './web-queries'
import { Chips } from './Chips'
import { FiguresRow } from './FiguresRow'
import { ImportedFigures, ImportedLists } from './ImportedDays'
import { panelNames, shownTab } from './panels'
import { PanelView } from './PanelView'
import { Toolbar } from './Toolbar'
import { WebFrame } from './WebFrame'

export const metadata: Metadata = { title: 'Web analytics' }

export async function WebPage(props: WebPageProps) {
  const web = await openWeb(props)

  return (
    <WebFrame web={web} view="overview" actions={<WebActions web={web} />}>
      <WebChips web={web} />
      <WebAnswers web={web} />
    </WebFrame>
  )
}

/** Each part is shown as soon as it is answered; the figures are asked about before all others. */
export const WebAnswers = ({ web }: { web: WebContext }) => (
  <>
    <Suspense fallback={<FiguresLoading />}>
      <FiguresRow web={web} />
    </Suspense>
    <Suspense>
      <ImportedFigures web={web} />
    </Suspense>
    <div className="grid gap-4 *:min-w-0 md:grid-cols-2">
      {panelNames.map((name) => (
        <PanelView key={`${name} ${shownTab(name, web.question.tabs)}`} name={name} web={web} />
      ))}
    </div>
    <Suspense>
      <ImportedLists web={web} />
    </Suspense>
  </>
)

function WebActions({ web }: { web: WebContext }) {
  return (
    <>
      <WebToolbar web={web} />
      <SubjectShareButton {...web} subject={{ kind: 'web' }} name="web analytics" />
    </>
  )
}

function WebToolbar({
  web: { project, question, goals, chartSettings, pageGroups, today },
}: {
  web: WebContext
}) {
  return (
    <Toolbar
      slug={project.slug}
      view="overview"
      query={question}
      goals={goals.map(({ id, name }) => ({ id, name }))}
      hasTestAccounts={chartSettings.hasTestAccounts}
      hasPageGroups={pageGroups.length > 0}
      today={today}
    />
  )
}

function WebChips({ web: { project, question, segments, role, savesSegment } }: { web: WebContext }) {
  return (
    <Chips
      slug={project.slug}
      query={question}
      savesSegment={savesSegment}
      segments={segments.map(({ id, name, memberId }) => ({ id, name, isShared: memberId === undefined }))}
      whyNot={whyNot('insights:write', role)}
    />
  )
}

const FiguresLoading = () => (
  <Loading label="Loading">
    <Skeleton className="h-24 w-full" />
    <Skeleton className="mt-4 h-72 w-full" />
  </Loading>
)
