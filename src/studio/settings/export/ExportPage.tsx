import type { Metadata } from 'next'
import { getProduct } from '#studio/product'
import { NotAllowed } from '#studio/parts/NotAllowed'
import { openProject } from '#studio/parts/open-project'
import { tryRead } from '#studio/parts/refusals'
import { Section, Sections } from '#studio/parts/Section'
import { ExportForm } from './ExportForm'
import { MonthsTable } from './MonthsTable'

export const metadata: Metadata = { title: 'Export' }

export async function ExportPage({ params }: { params: Promise<{ project: string }> }) {
  const { project, viewer } = await openProject((await params).project)
  const tables = await tryRead(() => getProduct().exports.tables(project.id, viewer))
  if (!tables.allowed) return <NotAllowed why={tables.why} />

  return (
    <>
      <Sections>
        <Section
          title="Export"
          description={
            <>
              Everything that is stored about visitors, as a file.{' '}
              <code className="font-mono">tilth export</code> writes all of it, a file a month.
            </>
          }
        >
          <ExportForm slug={project.slug} tables={tables.found} />
        </Section>
      </Sections>
      <MonthsTable tables={tables.found} />
    </>
  )
}
