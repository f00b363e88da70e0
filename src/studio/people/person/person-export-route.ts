import { getProduct } from '#studio/product'
import { openProject } from '#studio/parts/open-project'
import { tryRead } from '#studio/parts/refusals'

interface PersonExportRequest {
  params: Promise<{ project: string; person: string }>
}

/** Streams all data of a person: it may be too large for memory. */
export async function GET(_request: Request, { params }: PersonExportRequest): Promise<Response> {
  const { project: slug, person } = await params
  const { project, viewer } = await openProject(slug)
  const exported = await tryRead(() => getProduct().people.export(project.id, person, viewer))
  if (!exported.allowed) return new Response(exported.why, { status: 403 })
  if (!exported.found.done) return new Response('There is no such person.', { status: 404 })
  return new Response(streamOf(exported.found.json), {
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': `attachment; filename="person-${person}.json"`,
      'cache-control': 'no-store',
    },
  })
}

function streamOf(json: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await json.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    cancel: async () => void (await json.return(undefined)),
  })
}
