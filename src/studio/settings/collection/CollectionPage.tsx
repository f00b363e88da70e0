import type { Metadata } from 'next'
import { ingestSettingsOf } from '#ingest/project-settings'
import { openProject, whyNot } from '#studio/parts/open-project'
import { Section, Sections } from '#studio/parts/Section'
import { CollectionForm } from './CollectionForm'

export const metadata: Metadata = { title: 'Collection' }

export async function CollectionPage({ params }: { params: Promise<{ project: string }> }) {
  const { project, role } = await openProject((await params).project)

  return (
    <Sections>
      <Section
        title="Collection"
        description="Which events the project accepts. Changes apply from the next event on; dropped events are counted on the Live page."
      >
        <CollectionForm
          slug={project.slug}
          aliases={project.aliases}
          settings={ingestSettingsOf(project)}
          whyNot={whyNot('project:write', role)}
        />
      </Section>
    </Sections>
  )
}
