import { getProduct } from '../../../../../../../product'
import { openProject } from '../../../../../../open-project'
import { reading } from '../../../../../../refusals'

interface Address {
  params: Promise<{ project: string; person: string }>
}

/** Everything there is of somebody, sent while it is read: it may be much. */
export async function GET(_request: Request, { params }: Address): Promise<Response> {
  const { project: slug, person } = await params
  const { project, viewer } = await openProject(slug)
  const asked = await reading(() => getProduct().people.export(project.id, person, viewer))
  if (!asked.allowed) return new Response(asked.why, { status: 403 })
  if (!asked.found.done) return new Response('There is no such person.', { status: 404 })
  return new Response(streamed(asked.found.json), {
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': `attachment; filename="person-${person}.json"`,
      'cache-control': 'no-store',
    },
  })
}

function streamed(json: AsyncGenerator<string>): ReadableStream<Uint8Array> {
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
