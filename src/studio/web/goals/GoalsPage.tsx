import type { Metadata } from 'next'
import { propertyLabel } from '#events/taxonomy'
import { filterInWords } from '#filters/words'
import { getProduct } from '#studio/product'
import { whyNot } from '#studio/parts/open-project'
import { openWeb, type WebPageProps } from '../web-queries'
import { WebFrame } from '../WebFrame'
import { GoalsTable } from './GoalsTable'
import { SegmentsTable } from './SegmentsTable'

export const metadata: Metadata = { title: 'Goals · Web analytics' }

/** The saved goals and segments. */
export async function GoalsPage(props: WebPageProps) {
  const web = await openWeb(props)
  const { project, viewer, role, goals, segments } = web
  const events = await getProduct().insights.names.events(project.id, viewer)
  const context = { slug: project.slug, whyNot: whyNot('insights:write', role) }

  return (
    <WebFrame web={web} view="goals">
      <GoalsTable
        {...context}
        goals={goals.map(({ id, name, goal }) => ({ id, name, goal }))}
        events={events
          .filter(({ isAuxiliary }) => !isAuxiliary)
          .map(({ name, label, isVerified }) => ({ name, label, isVerified }))}
      />
      <SegmentsTable
        {...context}
        segments={segments.map(({ id, name, filter, memberId, createdBy }) => ({
          id,
          name,
          isShared: memberId === undefined,
          createdBy,
          words: filterInWords(filter, propertyLabel),
        }))}
      />
    </WebFrame>
  )
}
