import type { Metadata } from 'next'
import { Suspense } from 'react'
import { Loading, Skeleton } from '../../../../../../ui/Skeleton'
import { whyNot } from '../../../../open-project'
import { ShareFor } from '../../../../shares/ShareFor'
import { openWeb, type Web, type WebPageProps } from './asking'
import { Chips } from './Chips'
import { FiguresRow } from './FiguresRow'
import { panelNames, tabShown } from './panels'
import { PanelView } from './PanelView'
import { Toolbar } from './Toolbar'
import { WebFrame } from './WebFrame'

export const metadata: Metadata = { title: 'Web analytics' }

export default async function WebPage(props: WebPageProps) {
  const web = await openWeb(props)

  return (
    <WebFrame web={web} view="overview" actions={<WebActions web={web} />}>
      <WebChips web={web} />
      <Suspense fallback={<FiguresLoading />}>
        <FiguresRow web={web} />
      </Suspense>
      <div className="grid gap-4 *:min-w-0 md:grid-cols-2">
        {panelNames.map((name) => (
          <PanelView key={`${name} ${tabShown(name, web.question.tabs)}`} name={name} web={web} />
        ))}
      </div>
    </WebFrame>
  )
}

function WebActions({ web }: { web: Web }) {
  return (
    <>
      <WebToolbar web={web} />
      <ShareFor {...web} subject={{ kind: 'web' }} name="web analytics" />
    </>
  )
}

function WebToolbar({ web: { project, question, goals, ground, today } }: { web: Web }) {
  return (
    <Toolbar
      slug={project.slug}
      view="overview"
      question={question}
      goals={goals.map(({ id, name }) => ({ id, name }))}
      hasTestAccounts={ground.hasTestAccounts}
      today={today}
    />
  )
}

function WebChips({ web: { project, question, segments, role } }: { web: Web }) {
  return (
    <Chips
      slug={project.slug}
      question={question}
      segments={segments.map(({ id, name, memberId }) => ({ id, name, isShared: memberId === undefined }))}
      whyNot={whyNot('insights:write', role)}
    />
  )
}

const FiguresLoading = () => (
  <Loading label="Counting">
    <Skeleton className="h-24 w-full" />
    <Skeleton className="mt-4 h-72 w-full" />
  </Loading>
)
