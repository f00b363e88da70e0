import type { Metadata } from 'next'
import { getProduct } from '#studio/product'
import { NotAllowed } from '#studio/parts/NotAllowed'
import { openProject } from '#studio/parts/open-project'
import { tryRead } from '#studio/parts/refusals'
import { Section, Sections } from '#studio/parts/Section'
import { ImportForm } from './ImportForm'
import { ImportsTable } from './ImportsTable'
import { UploadPanel } from './UploadPanel'
import { clockOf } from '#studio/parts/RelativeTime'

export const metadata: Metadata = { title: 'Import' }

export async function ImportPage({ params }: { params: Promise<{ project: string }> }) {
  const { project, viewer } = await openProject((await params).project)
  const { imports } = getProduct()
  const { uploads: importUploads } = imports
  const read = await tryRead(async () => ({
    uploads: await importUploads.list(project.id, viewer),
    imports: await imports.list(project.id, viewer),
  }))
  if (!read.allowed) return <NotAllowed why={read.why} />
  const { uploads, imports: all } = read.found
  const { slug, timeZone } = project
  const clock = clockOf({ timeZone })
  const labels = new Map<string, string>(importUploads.sources.map(({ name, label }) => [name, label]))
  const labelOf = (source: string): string => labels.get(source) ?? source

  return (
    <>
      <Sections>
        <Section
          title="Import history"
          description={
            <>
              The history of another product, or of another Tilth, as its export files. Events keep their
              times, ids and visitors. Posts come with <code className="font-mono">tilth import posts</code>,
              flags with <code className="font-mono">tilth flag import</code>.
            </>
          }
        >
          <ImportForm slug={slug} timeZone={timeZone} sources={importUploads.sources} />
        </Section>
      </Sections>
      {uploads.map(({ id, projectId: _, fingerprint: __, importId, source, ...upload }) => (
        <UploadPanel
          key={id}
          slug={slug}
          timeZone={timeZone}
          upload={{
            ...upload,
            id,
            label: labelOf(source),
            rowsImported: all.find((one) => one.id === importId)?.rows ?? 0,
          }}
        />
      ))}
      <ImportsTable
        slug={slug}
        clock={clock}
        isReading={uploads.some(({ state }) => state === 'previewing' || state === 'importing')}
        imports={all.map(({ projectId: _, fingerprint: __, source, ...one }) => ({
          ...one,
          label: labelOf(source),
          isBeingRead: uploads.some(({ importId, state }) => importId === one.id && state === 'importing'),
        }))}
      />
    </>
  )
}
