import { addMonths } from '#ui/dates'
import { getProduct } from '#studio/product'
import { openProject } from '#studio/parts/open-project'
import { tryRead } from '#studio/parts/refusals'

interface TableExportRequest {
  params: Promise<{ project: string; table: string }>
}

/** Streams a table: it may be too large for memory. A download that fails is cut, so that it is not taken for whole. */
export async function GET(request: Request, { params }: TableExportRequest): Promise<Response> {
  const { project: slug, table } = await params
  const { project, viewer } = await openProject(slug)
  const input = inputIn(new URL(request.url).searchParams)
  const opened = await tryRead(() => getProduct().exports.open(project.id, table, input, viewer))
  if (!opened.allowed) return new Response(opened.why, { status: 403 })
  if (!opened.found.done)
    return new Response(opened.found.problems.map(({ message }) => message).join(' '), { status: 422 })
  const { name, contentType, parts } = opened.found.file
  return new Response(streamOf(parts), {
    headers: {
      'content-type': contentType,
      'content-disposition': `attachment; filename="${slug}-${name}"`,
      'cache-control': 'no-store',
    },
  })
}

/** Months, as the page names them; the last one included. */
function inputIn(query: URLSearchParams) {
  const [from, until] = [dayIn(query.get('from')), dayIn(query.get('until'))]
  return { format: query.get('format') ?? undefined, from, until: until && addMonths(until, 1) }
}

/** The first day of a month. */
const dayIn = (month: string | null): string | undefined =>
  month !== null && /^\d{4}-(?:0[1-9]|1[0-2])$/.test(month) ? `${month}-01` : undefined

const streamOf = (parts: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> =>
  new ReadableStream({
    async pull(controller) {
      const { done, value } = await parts.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: async () => void (await parts.return(undefined)),
  })
