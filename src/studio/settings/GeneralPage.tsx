import type { Metadata } from 'next'
import { CopyField } from '#ui/copy/CopyField'
import { openProject, whyNot } from '#studio/parts/open-project'
import { Section, Sections } from '#studio/parts/Section'
import { ArchiveProject } from './ArchiveProject'
import { ProjectForm } from './ProjectForm'
import { RenewWriteKey } from './RenewWriteKey'

export const metadata: Metadata = { title: 'Settings' }

export async function GeneralPage({ params }: { params: Promise<{ project: string }> }) {
  const { project, role } = await openProject((await params).project)
  const { slug, name, timeZone, siteAddress, writeKey, archivedAt } = project

  return (
    <Sections>
      <Section title="Project" description="Name, URL, site and time zone.">
        <ProjectForm project={{ slug, name, timeZone, siteAddress }} whyNot={whyNot('project:write', role)} />
      </Section>
      <Section
        title="Write key"
        description="Public by design: it can only send events and evaluate flags. SDKs send it."
      >
        <div className="flex flex-col gap-4">
          <CopyField label="Write key" value={writeKey} />
          <RenewWriteKey slug={slug} whyNot={whyNot('keys:write', role)} />
        </div>
      </Section>
      <Section
        title={archivedAt ? 'Restore' : 'Archive'}
        description="An archived project accepts no events and is listed last. No data is deleted."
      >
        <ArchiveProject
          slug={slug}
          name={name}
          isArchived={archivedAt !== undefined}
          whyNot={whyNot('project:archive', role)}
        />
      </Section>
    </Sections>
  )
}
