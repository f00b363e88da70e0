import type { Metadata } from 'next'
import { ingestSettingsOf } from '#ingest/project-settings'
import { date, number } from '#ui/format'
import { getProduct } from '#studio/product'
import { openProject, whyNot } from '#studio/parts/open-project'
import { Section, Sections } from '#studio/parts/Section'
import { RetentionForm } from './RetentionForm'

export const metadata: Metadata = { title: 'Data retention' }

export async function RetentionPage({ params }: { params: Promise<{ project: string }> }) {
  const { project, role, viewer } = await openProject((await params).project)
  const latest = await getProduct().retention.latest(project.id, viewer)

  return (
    <Sections>
      <Section
        title="Data retention"
        description="Expired data is deleted within an hour. Daily totals of visitors, visits and views stay in web analytics."
      >
        <RetentionForm
          slug={project.slug}
          keep={ingestSettingsOf(project).keep}
          whyNot={whyNot('project:write', role)}
        />
        {latest && (
          <p className="mt-4 border-t border-line pt-4 text-muted">
            {latest.finishedAt
              ? `Last deletion: ${number(latest.events)} events from before ${date(latest.boundary, project.timeZone)}.`
              : `Deleting ${number(latest.events)} events from before ${date(latest.boundary, project.timeZone)} now.`}
          </p>
        )}
      </Section>
    </Sections>
  )
}
