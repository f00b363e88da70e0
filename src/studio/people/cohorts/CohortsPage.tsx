import type { Metadata } from 'next'
import { Plus } from 'lucide-react'
import { describeCohort } from '#persons/describe-cohort'
import { Icon } from '#ui/Icon'
import { LinkButton } from '#ui/LinkButton'
import { Panel } from '#ui/page/Panel'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { openProject, whyNot } from '#studio/parts/open-project'
import { CohortFromFile } from './CohortFromFile'
import { CohortsTable } from './CohortsTable'
import { clockOf } from '#studio/parts/RelativeTime'

export const metadata: Metadata = { title: 'Cohorts' }

export async function CohortsPage({ params }: { params: Promise<{ project: string }> }) {
  const { project, role, viewer } = await openProject((await params).project)
  const { slug, timeZone } = project
  const { people } = getProduct()
  const { cohorts } = people
  const all = await cohorts.list(project.id, viewer)
  const sizes = await Promise.all(all.map(({ id }) => people.size(project.id, id, viewer)))
  const reason = whyNot('insights:write', role)

  return (
    <Panel
      flush
      title="Cohorts"
      description="Groups of people to filter and break down by."
      actions={
        <>
          <CohortFromFile slug={slug} whyNot={reason} />
          {reason === undefined && (
            <LinkButton variant="primary" size="sm" href={paths.newCohort(slug)} icon={<Icon of={Plus} />}>
              New cohort
            </LinkButton>
          )}
        </>
      }
    >
      <CohortsTable
        slug={slug}
        clock={clockOf({ timeZone })}
        mayWrite={reason === undefined}
        cohorts={all.map(({ id, name, definition, createdBy, changedAt }, i) => ({
          id,
          name,
          words: definition ? describeCohort(definition, all) : 'Static list',
          createdBy,
          changedAt,
          size: sizes[i],
        }))}
      />
    </Panel>
  )
}
